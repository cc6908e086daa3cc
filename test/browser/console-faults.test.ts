import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPage, startBrowser } from '../support/browser/browser.ts';
import { callAsync } from '../support/service/async-calls.ts';
import { Service } from '../support/service/service.ts';

let service: Service;
let browser: Browser;

beforeAll(async () => {
  service = await Service.start();
  browser = await startBrowser();
});

afterAll(() => Promise.all([browser?.close(), service?.stop()]));

// Beyond the end, as after a failover.
const GONE = '9000000000000000_0000000000000000';

async function open(hash = '', key = service.rootKey): Promise<Page> {
  const { page } = await openPage(browser, [service.url], { baseURL: service.url });
  await page.goto(`/console${hash}`);
  await signIn(page, key);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('Root key').fill(key);
  await page.getByLabel('Root key').press('Enter');
}

it('calls nothing healthy while Redis is away, and says what is missing', async () => {
  const page = await open();
  await page.getByText('Healthy').waitFor();
  process.kill(service.redis.pid, 'SIGSTOP');
  try {
    await page.getByRole('listitem').filter({ hasText: 'Redis does not answer' }).waitFor();
    await page.getByText('not ready, no figures').waitFor();
    expect(await page.getByRole('list', { name: 'Health' }).getByRole('listitem').count()).toBe(1);
    await page.getByText('What you see is of').waitFor();
  } finally {
    process.kill(service.redis.pid, 'SIGCONT');
  }
  await page.getByText('Healthy').waitFor();
  await page.context().close();
});

it('says that its figures are old when the API does not answer', async () => {
  const page = await open();
  await page.getByText('Healthy').waitFor();
  await page.context().setOffline(true);
  await page.getByText('the figures cannot be read').waitFor();
  await page.getByText('No answer').waitFor();
  expect(await page.getByText('Healthy').count()).toBe(0);
  await page.context().setOffline(false);
  await page.getByText('Healthy').waitFor();
  await page.context().close();
});

it('goes on when one question is never answered', async () => {
  const page = await open();
  await page.getByText('Ready').waitFor();
  await page.route('**/readyz', () => undefined);
  await page.getByText('Looking').waitFor();
  await page.context().close();
});

it('says within seconds that an API process hangs', async () => {
  const page = await open();
  await page.getByText('Healthy').waitFor();
  for (const path of ['**/readyz', '**/v1/scaling', '**/v1/pauses**'])
    await page.route(path, () => undefined);
  await page.getByText('Nothing is known about now').waitFor({ timeout: 12_000 });
  expect(await page.getByText('Healthy').count()).toBe(0);
  // The first read to fail may have begun before the requests did, with an answer to its first question.
  await page.getByText('No answer').waitFor();
  await page.context().close();
});

it('says that a key was refused, and what to do', async () => {
  const { organizationId } = await service.aWorkspace();
  const wanted = { name: 'operator', scopes: ['operate'], organizationId };
  const { id, secret } = await service.ok('POST', '/v1/api-keys', wanted);
  const page = await open('', secret);
  await service.ok('DELETE', `/v1/api-keys/${id}`);
  await page.getByText('Key refused').waitFor();
  await page.getByText('Sign out to use another key').waitFor();
  await page.context().close();
});

it('takes no key that cannot be sent, and says that it is none', async () => {
  const { page } = await openPage(browser, [service.url], { baseURL: service.url });
  await page.goto('/console');
  await signIn(page, 'sb_…ключ');
  await page.getByText('This is no valid key').waitFor();
  await page.context().close();
});

it('does not promise to repeat an action to which no answer came', async () => {
  const page = await open('#settings');
  await page.getByLabel('Log level').selectOption('warn');
  await page.route('**/v1/settings', (route) => route.abort());
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('it may be done or not').waitFor();
  await page.context().close();
});

it('shows ages by the clock of the gateway, not of the browser', async () => {
  const { page } = await openPage(browser, [service.url], { baseURL: service.url });
  await page.clock.install({ time: Date.now() + 3_600_000 });
  await page.goto('/console#workers');
  await signIn(page, service.rootKey);
  await page.getByRole('cell', { name: 'running' }).waitFor();
  const names = await page.getByRole('columnheader').allTextContents();
  const cells = await page.getByRole('row').nth(1).getByRole('cell').allTextContents();
  const age = (name: string) => cells[names.indexOf(name)];
  expect(age('Last heard')).toMatch(/^now$| s ago$/);
  // As long as this file has run.
  expect(age('Up for')).toMatch(/ m?s$|^[1-5]?\d min$/);
  await page.context().close();
});

it.each([
  ['/console#workers', 'Workers'],
  ['/docs#listWorkspaces', 'List workspaces'],
])('the skip link of %s leaves the part that is shown', async (path, title) => {
  const { page } = await openPage(browser, [service.url], { baseURL: service.url });
  await page.goto(path);
  if (path.startsWith('/console')) await signIn(page, service.rootKey);
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  await page.getByRole('link', { name: 'Skip to the content' }).focus();
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  expect(page.url()).toContain(path);
  await page.context().close();
});

function focusedText(page: Page): Promise<string> {
  return page.evaluate('document.activeElement.textContent');
}

it('keeps the focus where it was, or at the heading where its row is gone', async () => {
  const { id } = await service.aWorkspace();
  const page = await open('#workers');
  const drain = page.getByRole('button', { name: /^Drain worker-/ });
  await drain.press('Enter');
  await page.getByRole('dialog').waitFor();
  // A row is rendered again at each read, as its age grows.
  const read = () => page.waitForResponse((response) => response.url().endsWith('/v1/scaling'));
  for (let reads = 0; reads < 3; reads += 1) await read();
  await page.keyboard.press('Escape');
  expect(await focusedText(page)).toBe('Drain');

  // While one operator is asked, another one pauses and resumes.
  await page.goto(`/console#workspaces/${id}`);
  await page.getByRole('button', { name: 'Pause…' }).press('Enter');
  await page.getByRole('dialog').waitFor();
  await service.ok('PUT', `/v1/pauses/workspace/${id}`, { mode: 'refuse' });
  await page.getByText('paused: calls are refused').waitFor();
  await page.keyboard.press('Escape');
  expect(await focusedText(page)).toBe('Resume');
  await service.ok('DELETE', `/v1/pauses/workspace/${id}`);
  await page.getByText('Not paused').waitFor();
  expect(await focusedText(page)).toBe('Pause…');

  await page.getByRole('button', { name: 'Pause…' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).press('Enter');
  await page.getByText('paused: calls wait').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await focusedText(page)).toBe('Resume');

  await page.goto('/console#pauses');
  await page.getByRole('button', { name: `Resume ${id}` }).press('Enter');
  await page.getByText('Nothing is paused.').waitFor();
  expect(await focusedText(page)).toBe('Pauses');
  await page.context().close();
});

it('shows what another operator changes in a workspace, and fits a long reason', async () => {
  const { id } = await service.aWorkspace();
  const page = await open(`#workspaces/${id}`);
  await page.getByText('Not paused').waitFor();
  await service.ok('PUT', `/v1/pauses/workspace/${id}`, { mode: 'refuse', reason: 'A'.repeat(200) });
  await page.getByText('paused: calls are refused').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
  await service.ok('DELETE', `/v1/pauses/workspace/${id}`);
  await page.getByText('Not paused').waitFor();
  await service.ok('PATCH', `/v1/workspaces/${id}`, { name: 'Renamed', weight: 7 });
  await page.keyboard.press('r');
  await page.getByRole('heading', { name: 'Renamed' }).waitFor();
  expect(await page.getByLabel('Weight').inputValue()).toBe('7');
  await page.context().close();
});

it('reads a page of a list again that could not be read, and follows the first one after a return to it', async () => {
  const { organizationId } = await service.aWorkspace();
  const create = (name: string) => service.ok('POST', '/v1/workspaces', { name, organizationId });
  for (let i = 0; i < 55; i += 1) await create(`Shop ${i}`);
  const page = await open('#workspaces');
  await page.getByRole('link', { name: 'Shop 54', exact: true }).waitFor();
  await page.route('**/v1/workspaces?*', (route) => route.abort());
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('The API does not answer').waitFor();
  await page.unroute('**/v1/workspaces?*');
  await page.getByRole('link', { name: 'Shop 1', exact: true }).waitFor();
  expect(await page.getByText('The API does not answer').count()).toBe(0);

  await page.getByRole('button', { name: 'Previous' }).click();
  await page.getByRole('link', { name: 'Shop 54', exact: true }).waitFor();
  await create('The newest');
  await page.getByRole('link', { name: 'The newest' }).waitFor();
  await page.context().close();
});

it.each([
  ['a workspace', 'Weight', 'Save limits'],
  ['the settings', 'Key rate limit', 'Save settings'],
])('reads %s again after a failure, and leaves what was typed', async (what, label, save) => {
  const { id } = await service.aWorkspace();
  const path = what === 'a workspace' ? `/v1/workspaces/${id}` : '/v1/settings';
  const page = await open('#workers');
  const readAgain = () =>
    page.waitForResponse((response) => response.url().endsWith(path) && response.status() === 200);
  await page.route(`**${path}`, (route) => route.abort());
  await page.goto(`/console#${path.split('/').slice(2).join('/')}`);
  const failure = page.getByRole('main').getByText('The API does not answer');
  await failure.first().waitFor();
  await page.unroute(`**${path}`);
  const field = page.getByLabel(label);
  await field.waitFor();
  await failure.waitFor({ state: 'hidden' });

  const typed = what === 'a workspace' ? '9' : '900/60';
  await field.fill(typed);
  await page.route(`**${path}`, (route) => route.abort());
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('r');
  await failure.waitFor();
  expect(await field.inputValue()).toBe(typed);
  await field.focus();
  const read = readAgain();
  await page.unroute(`**${path}`);
  await read;
  await failure.waitFor({ state: 'hidden' });
  expect(await field.inputValue()).toBe(typed);
  expect(await page.evaluate('document.activeElement.value')).toBe(typed);

  const sent = page.waitForRequest((request) => request.method() === 'PATCH');
  await page.route(`**${path}`, (route) => route.abort());
  await page.getByRole('button', { name: save }).click();
  expect(Object.values((await sent).postDataJSON())).toHaveLength(1);
  await page.context().close();
});

it('follows a list whose rows were all chosen and then let go one by one', async () => {
  const { id } = await service.aWorkspace();
  const account = await service.anAccount(id);
  const call = () => callAsync(service, account, 'account.updateStatus', { offline: false });
  await call();
  await call();
  const page = await open(`#calls/${id}`);
  const all = page.getByRole('checkbox', { name: 'Choose all of this page' });
  await all.check();
  for (const one of await page.getByRole('checkbox', { name: /^Choose call_/ }).all()) await one.uncheck();
  expect(await all.isChecked()).toBe(false);
  await page.context().close();
});

it('says the status of an error that is not of the API, as of a proxy', async () => {
  const page = await open();
  await page.route('**/v1/workspaces?*', (route) => route.fulfill({ status: 502, body: '<html>' }));
  await page.goto('/console#workspaces');
  await page.getByText('The answer was 502, without a reason.').first().waitFor();
  await page.context().close();
});

it('does not call a stream connected that says nothing, or that the hidden page has left', async () => {
  const { id } = await service.aWorkspace();
  const { page } = await openPage(browser, [service.url], { baseURL: service.url });
  await page.clock.install();
  await page.goto(`/console#updates/${id}`);
  await signIn(page, service.rootKey);
  await page.getByText('Connected').waitFor();
  const hide = (isHidden: boolean) => `
    Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));`;
  await page.evaluate(hide(true));
  await page.getByText('Connecting…').waitFor();
  await page.evaluate(hide(false));
  await page.getByText('Connected').waitFor();

  await page.route('**/updates?*', () => undefined);
  await page.keyboard.press('r');
  await page.getByText('Connecting…').waitFor();
  await page.clock.fastForward(40_000);
  await page.getByText('The connection is lost').waitFor();
  await page.unroute('**/updates?*');
  // Refused for now, it is not lost.
  const json = { code: 'rate_limited', detail: 'This key has too many live reads.' };
  await page.route('**/updates?*', (route) => route.fulfill({ status: 429, json }));
  await page.clock.fastForward(40_000);
  await page.getByText('This key has too many live reads. Trying again.').waitFor();
  await page.unroute('**/updates?*');
  await page.clock.fastForward(40_000);
  await page.getByText('Connected').waitFor();
  await page.context().close();
});

it('goes on after updates that are not kept any more, says that they are missing, and shows none again', async () => {
  const { id } = await service.aWorkspace();
  const account = await service.anAccount(id);
  const peer = { _: 'inputPeerSelf' };
  await service.result(account, 'messages.sendMessage', { peer, message: 'Before the gap' });
  const { page } = await openPage(browser, [service.url], { baseURL: service.url });
  let asked = 0;
  // As for a page that has read what Redis has lost.
  await page.route('**/updates?*', (route) => {
    asked += 1;
    const url = route.request().url();
    return route.continue({ url: asked === 1 ? url.replace('offset=now', `offset=${GONE}`) : url });
  });
  await page.goto(`/console#updates/${id}`);
  await signIn(page, service.rootKey);
  await page.getByText('Connected, but updates are missing here').waitFor();
  await service.result(account, 'messages.sendMessage', { peer, message: 'After the gap' });
  const items = page.getByRole('listitem');
  await items.filter({ hasText: 'After the gap' }).first().waitFor();
  expect(await items.filter({ hasText: 'Before the gap' }).count()).toBe(0);
  await page.context().close();
});

it('goes on so for an account that was deleted meanwhile', async () => {
  const { id } = await service.aWorkspace();
  const { id: accountId } = await service.anAccount(id);
  const page = await open(`#updates/${id}`);
  const connected = page.waitForResponse((response) => response.url().includes(accountId));
  await page.getByLabel('Account').fill(accountId);
  await page.getByLabel('Account').press('Enter');
  await connected;
  await page.getByText('Connected').waitFor();
  await service.ok('DELETE', `/v1/messenger-accounts/${accountId}`);
  const isHidden = (value: boolean) => `
    Object.defineProperty(document, 'hidden', { value: ${value}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));`;
  await page.evaluate(isHidden(true));
  await page.getByText('Connecting…').waitFor();
  await page.route(
    '**/updates?*',
    (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/offset=[^&]*/, `offset=${GONE}`),
      }),
    { times: 1 },
  );
  await page.evaluate(isHidden(false));
  await page.getByText('Connected, but updates are missing here').waitFor();
  await page.context().close();
});

it('offers a kind of updates that there is', async () => {
  const { id } = await service.aWorkspace();
  const page = await open(`#updates/${id}`);
  const kind = page.getByLabel('Kind');
  const [example = ''] = (await kind.getAttribute('placeholder'))?.match(/\S+$/) ?? [];
  const asked = page.waitForResponse((response) => response.url().includes(`kind=${example}`));
  await kind.fill(example);
  await kind.press('Enter');
  expect((await asked).status()).toBe(200);
  await page.getByText('Connected').waitFor();
  await page.context().close();
});

it.each(['failures', 'audit'])('says of a search in %s only that it has found nothing', async (part) => {
  const { id } = await service.aWorkspace();
  const page = await open(`#${part}/${id}`);
  await page.getByText(/^No such/).waitFor();
  await page.context().close();
});

it('shows a note about unchanged limits not as a failure', async () => {
  const { id } = await service.aWorkspace();
  const page = await open(`#workspaces/${id}`);
  await page.getByLabel('Weight').waitFor();
  await page.route(`**/v1/workspaces/${id}`, (route) => route.abort());
  await page.getByLabel('Weight').fill('3');
  await page.getByLabel('Weight').press('Enter');
  await page.locator('.note.failed').waitFor();
  await page.getByLabel('Weight').fill('1');
  await page.getByLabel('Weight').press('Enter');
  await page.getByText('Nothing has been changed').waitFor();
  expect(await page.locator('.note.failed').count()).toBe(0);
  await page.context().close();
});

it('lets a mouse without a second wheel reach every part of the console in a narrow window', async () => {
  const page = await open();
  await page.setViewportSize({ width: 800, height: 600 });
  const [isCut, bar] = await page.evaluate<[boolean, string]>(
    `[views.scrollWidth > views.clientWidth, getComputedStyle(views).scrollbarWidth]`,
  );
  expect([isCut, bar]).toEqual([true, 'thin']);
  await page.context().close();
});

it('closes a dialog with the part that it belongs to, and says what failed after it was closed', async () => {
  const page = await open('#overview');
  await page.goto('/console#workers');
  await page.getByRole('button', { name: /^Drain worker-/ }).click();
  await page.getByRole('dialog').waitFor();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);

  let refuse = () => {};
  await page.route('**/drain', (route) => {
    refuse = () => void route.abort();
  });
  await page.goForward();
  await page.getByRole('button', { name: /^Drain worker-/ }).click();
  const asked = page.waitForRequest('**/drain');
  await page.getByRole('dialog').getByRole('button', { name: 'Drain' }).click();
  await asked;
  await page.keyboard.press('Escape');
  refuse();
  await page.getByText('it may be done or not').waitFor();
  await page.context().close();
});

it('says how a rate limit is typed', async () => {
  const page = await open('#settings');
  await page.getByLabel('Key rate limit').fill('1000 a minute');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByRole('status').filter({ hasText: 'such as 1000/60' }).waitFor();
  await page.context().close();
});
