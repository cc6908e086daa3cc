import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { forbidStorage, openPage, startBrowser } from '../support/browser/browser.ts';
import { Service } from '../support/service/service.ts';

// With the modules of the page. As text, since the test runner would make an import its own.
const SAMPLE = `async ([id, given, body]) => {
  const address = document.querySelector('script[type=module]').src;
  const load = (name) => import(new URL(name + '.js', address));
  const [{ Reference }, { readyRequest }, { toTypescript }] =
    await Promise.all(['reference', 'request', 'samples'].map(load));
  const operation = new Reference(await (await fetch('/openapi.json')).json()).find(id);
  const connection = { url: location.origin };
  const form = { values: { 'path workspaceId': 'ws_1', 'path accountId': 'acc_1', ...given }, body };
  return toTypescript(connection, operation, form, readyRequest(connection, operation, form));
}`;
const IS_CUT = `(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector('.answer pre'))`;
const CALL = 'messages.sendMessage';

let service: Service;
let browser: Browser;

beforeAll(async () => {
  [service, browser] = await Promise.all([Service.start(), startBrowser()]);
});

afterAll(() => Promise.all([browser?.close(), service?.stop()]));

async function open(hash: string, width = 1280): Promise<Page> {
  const { page } = await openPage(browser, [service.url], {
    viewport: { width, height: 800 },
    baseURL: service.url,
  });
  await page.goto(`/docs${hash}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

const current = (page: Page) =>
  page
    .locator('#list [aria-current]')
    .evaluateAll((links) => links.map((link) => (link as unknown as { hash: string }).hash));

it('marks in the list what is shown, also after a search', async () => {
  const page = await open('#listWorkspaces');
  expect(await current(page)).toEqual(['#listWorkspaces']);
  const search = page.getByRole('searchbox');
  await search.fill('sendMessage');
  await search.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'messages.sendMessage' }).waitFor();
  await search.fill('');
  expect(await current(page)).toEqual(['#messages.sendMessage']);
  await page.getByRole('link', { name: 'Start', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Switchboard API' }).waitFor();
  expect(await current(page)).toEqual(['']);
  await page.context().close();
});

it('shows each form that the answer to a call may have', async () => {
  const page = await open(`#${CALL}`);
  const answer = page.getByRole('listitem').filter({ hasText: '200 The result and the transaction number' });
  await answer.getByText('object | ValidCall', { exact: true }).click();
  await answer.getByText('object', { exact: true }).first().click();
  await answer.getByText('txid', { exact: true }).waitFor();
  await answer.getByText('ValidCall', { exact: true }).click();
  await answer.getByText('valid', { exact: true }).waitFor();
  await page.context().close();
});

it('shows the API where the browser stores nothing', async () => {
  const { page, faults } = await openPage(browser, [service.url], { baseURL: service.url });
  await forbidStorage(page);
  await page.goto('/docs#listWorkspaces');
  await page.getByLabel('API key').fill(service.rootKey);
  await page.getByLabel('API key').press('Enter');
  await page.getByText(/^Ready: /).waitFor();
  expect(await current(page)).toEqual(['#listWorkspaces']);
  expect(faults).toEqual([]);
  await page.context().close();
});

it('leaves what the browser keeps to the tabs whose key it is', async () => {
  const first = await open('#getWorkspace');
  const context = first.context();
  const openTab = async () => {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto('/docs#getWorkspace');
    await page.getByRole('heading', { level: 1, name: 'Get one workspace' }).waitFor();
    return page;
  };
  const kept = (page: Page) => page.evaluate<string | null>(`localStorage.getItem('switchboard.docs')`);
  const tick = (page: Page) => page.getByLabel('Keep in this browser');
  const typeId = async (page: Page, id: string) => {
    await page.getByLabel('id', { exact: true }).fill(id);
    await page.getByLabel('id', { exact: true }).press('Tab');
    // As soon as it is stored.
    expect(await page.evaluate(`sessionStorage.getItem('switchboard.docs')`)).toContain(id);
  };
  const second = await openTab();
  await second.getByLabel('API key').fill(service.rootKey);
  await second.getByLabel('API key').press('Enter');
  await second.getByText(/^Ready: /).waitFor();
  await tick(second).check();
  expect(await kept(second)).toContain(service.rootKey);

  // A tab without a key.
  await expect.poll(() => kept(first), { timeout: 60_000 }).toContain(service.rootKey);
  await typeId(first, 'ws_typed_without_a_key');
  await first.reload();
  await first.getByText('Type a key to send requests').waitFor();
  expect(await kept(first)).toContain(service.rootKey);
  expect(await tick(first).isChecked()).toBe(false);

  // Two tabs with the key that is kept.
  const third = await openTab();
  await third.getByText(/^Ready: /).waitFor();
  expect(await tick(third).isChecked()).toBe(true);
  await typeId(third, 'ws_typed_while_kept');
  expect(await kept(third)).toContain('ws_typed_while_kept');
  await tick(second).uncheck();
  await expect.poll(() => tick(third).isChecked(), { timeout: 60_000 }).toBe(false);
  await typeId(third, 'ws_typed_once_forgotten');
  expect(await kept(third)).toBe(null);
  await third.reload();
  await third.getByText(/^Ready: /).waitFor();
  expect(await kept(third)).toBe(null);
  await context.close();
});

it('gives the focus back to the search when it ends', async () => {
  const page = await open('');
  await page.getByRole('searchbox').fill('sendMessage');
  await page.getByRole('searchbox').press('ArrowDown');
  await page.keyboard.press('Escape');
  expect(await page.evaluate('document.activeElement.id')).toBe('search');
  await page.context().close();
});

it('says of its menu whether it is open', async () => {
  const page = await open('', 390);
  const isOpen = () => page.locator('#menu').getAttribute('aria-expanded');
  await page.keyboard.press('/');
  expect(await isOpen()).toBe('true');
  await page.getByRole('searchbox').fill('listWorkspaces');
  await page.getByRole('searchbox').press('Enter');
  await page.getByRole('heading', { level: 1, name: 'List workspaces' }).waitFor();
  expect(await isOpen()).toBe('false');
  await page.locator('#menu').click();
  expect(await isOpen()).toBe('true');
  await page.context().close();
});

it('shows the accounts of the key that was typed last', async () => {
  const keys = [];
  for (const name of ['Ada', 'Grace']) {
    const { id, organizationId } = await service.aWorkspace();
    await service.anAccount(id, { name });
    const wanted = { name, scopes: ['accounts:read'], organizationId };
    keys.push((await service.ok('POST', '/v1/api-keys', wanted)).secret as string);
  }
  const [first = '', second = ''] = keys;
  const page = await open('#listWorkspaces');
  let release = () => {};
  const isOver = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/v1/messenger-accounts?*', async (route) => {
    if (route.request().headers().authorization?.endsWith(first)) await isOver;
    await route.continue();
  });
  const type = async (key: string) => {
    await page.getByLabel('API key').fill(key);
    await page.getByLabel('API key').press('Enter');
  };
  await type(first);
  await page.getByText('Looking for accounts').waitFor();
  await type(second);
  await page.getByText('Ready: Grace').waitFor();
  const late = page.waitForResponse((response) => response.url().includes('/v1/messenger-accounts?'));
  release();
  await late;
  await page.waitForTimeout(500);
  expect(await page.locator('#connection-state').textContent()).toBe('Ready: Grace');
  await page.context().close();
});

it('keeps an account after a reload that the list is too short for, until it is gone', async () => {
  const { id: crowded } = await service.aWorkspace();
  const accounts = Array.from({ length: 100 }, (_, i) => ({ name: `Account ${i}`, driver: 'sandbox' }));
  await service.ok('POST', '/v1/messenger-accounts/bulk', { workspaceId: crowded, accounts });
  const { id: workspaceId } = await service.aWorkspace();
  const { id } = await service.anAccount(workspaceId, { name: 'The last one' });
  const page = await open('#messages.sendMessage');
  await page.getByLabel('API key').fill(service.rootKey);
  await page.getByLabel('API key').press('Enter');
  await page.getByText('Ready: ').waitFor();
  const workspaceField = page.getByLabel('workspaceId', { exact: true });
  const accountField = page.getByLabel('accountId', { exact: true });
  const ids = async () => [await workspaceField.inputValue(), await accountField.inputValue()];
  const [, first = ''] = await ids();
  expect(first).toMatch(/^acc_/);
  await workspaceField.fill(workspaceId);
  await accountField.fill(id);
  await accountField.press('Tab');

  await page.reload();
  await page.getByText('Ready: The last one').waitFor();
  expect(await ids()).toEqual([workspaceId, id]);

  const one = `**/v1/messenger-accounts/${id}`;
  await page.route(one, (route) => route.fulfill({ status: 503, json: { detail: 'Redis is away.' } }));
  await page.reload();
  await page.getByText('Redis is away.').waitFor();
  expect(await ids()).toEqual([workspaceId, id]);
  await page.unroute(one);

  await service.ok('DELETE', `/v1/messenger-accounts/${id}`);
  await page.reload();
  await page.getByText('Ready: ').waitFor();
  expect((await ids())[1]).toBe(first);
  await page.context().close();
});

it('takes another key in place of one that is refused, and asks for nothing else', async () => {
  const page = await open('');
  await page.getByLabel('API key').fill('sb_unknown');
  await page.getByLabel('API key').press('Enter');
  await page.getByText('unknown, deleted or expired: type another one').waitFor();
  expect(await page.getByLabel('Messenger account').isVisible()).toBe(false);
  expect(await page.getByLabel('Its id').isVisible()).toBe(false);
  await page.context().close();
});

it.each(['a key', 'another key'])('leads where a click goes that ends the typing of %s', async (which) => {
  const page = await open('');
  if (which === 'another key') {
    const { id: workspaceId } = await service.aWorkspace();
    const empty = await service.ok('POST', '/v1/api-keys', {
      name: 'k',
      workspaceId,
      scopes: ['accounts:read'],
    });
    await page.getByLabel('API key').fill(empty.secret);
    await page.getByLabel('API key').press('Enter');
    await page.getByText('the key has no accounts yet').waitFor();
  }
  await page.getByLabel('API key').fill(service.rootKey);
  // The look-up for accounts, which the click begins, is not over when the button is let go.
  await page.route('**/v1/messenger-accounts?*', () => undefined);
  const link = page.getByRole('main').getByRole('link', { name: 'messages.sendMessage' });
  await link.click({ position: { x: 20, y: 10 }, delay: 200 });
  await page.getByRole('heading', { name: 'messages.sendMessage' }).waitFor({ timeout: 10_000 });
  await page.context().close();
});

it('shows all of what a problem says', async () => {
  await service.anAccount((await service.aWorkspace()).id);
  const page = await open(`#${CALL}`);
  await page.getByLabel('API key').fill(service.rootKey);
  await page.getByLabel('API key').press('Enter');
  await page.getByText('Ready: ').waitFor();
  const body = page.getByLabel('Body', { exact: true });
  await body.fill(JSON.stringify({ params: { peer: { _: 'inputPeerUsr' }, message: 'Hello' } }));
  await page.getByRole('button', { name: 'Send POST' }).click();
  await page.getByText('400 Bad Request').waitFor();
  const answer = page.getByRole('region', { name: 'Body of the answer' });
  expect(await answer.textContent()).toContain('did you mean');
  expect(await page.evaluate(IS_CUT)).toBe(false);
  await page.context().close();
});

it('leaves out of a program nothing that makes the request another one', async () => {
  const page = await open('');
  const sample = (id: string, given: Record<string, string>, body = '{"params":{"message":"Hi"}}') =>
    page.evaluate<string>(`(${SAMPLE})(${JSON.stringify([id, given, body])})`);
  expect(await sample(CALL, {})).toContain("account.messages.sendMessage({ message: 'Hi' })");
  expect(await sample(CALL, { 'query validate': 'only' })).toContain('?validate=only');
  expect(await sample(CALL, { 'header Idempotency-Key': 'order-4711' })).toContain("'order-4711'");
  const later = '{"params":{},"scheduleAt":"2030-01-01T00:00:00Z"}';
  expect(await sample(CALL, {}, later)).toContain("scheduleAt: '2030-01-01T00:00:00Z'");
  expect(await sample('readUpdates', { 'query live': 'sse' })).toContain('.updates())');
  const filters = {
    'query offset': '-1',
    'query kind': 'RawUpdateNewMessage,call.failed',
    'query messengerAccountId': 'acc_1',
  };
  expect((await sample('readUpdates', filters)).replaceAll(/\s+/g, ' ')).toContain(
    "offset: '-1', kinds: ['RawUpdateNewMessage', 'call.failed'], accountIds: ['acc_1']",
  );
  await page.context().close();
});
