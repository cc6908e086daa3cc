import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { forbidStorage, openPage, startBrowser } from '../support/browser/browser.ts';
import { callAsync, endOf } from '../support/service/async-calls.ts';
import { Service } from '../support/service/service.ts';

// The words of the methods' names in a table that are broken.
const BROKEN_WORDS = `[...document.querySelectorAll('td strong')].flatMap((name) => {
  const range = document.createRange();
  return [...name.childNodes].flatMap((part) => {
    range.selectNodeContents(part);
    return range.getClientRects().length > 1 ? [part.textContent] : [];
  });
})`;

let service: Service;
let browser: Browser;

beforeAll(async () => {
  service = await Service.start({ env: { WEBHOOKS_ALLOW_PRIVATE: '1' } });
  browser = await startBrowser();
});

afterAll(() => Promise.all([browser?.close(), service?.stop()]));

async function open(hash: string): Promise<Page> {
  const { page } = await openPage(browser, [service.url], { baseURL: service.url });
  await page.goto(`/console${hash}`);
  await signIn(page);
  return page;
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Root key').fill(service.rootKey);
  await page.getByLabel('Root key').press('Enter');
  await page.getByRole('heading', { level: 1 }).and(page.locator('[tabindex]')).waitFor();
}

it.each([
  ['webhooks/wh_', 'Webhooks'],
  ['workspaces/ws_', 'Workspaces'],
  ['workspaces/acc_', 'Workspaces'],
])('sends the key nowhere else for a made-up link to #%s', async (start, title) => {
  const page = await open('#overview');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const read = page.waitForResponse((response) => response.url().includes(`/v1/${title.toLowerCase()}?`));
  await page.goto(`/console#${start}x%5C..%5C..%5Capi-keys%5Ckey_1%3F`);
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  await read;
  expect(asked.filter((path) => path.startsWith('/v1/api-keys'))).toEqual([]);
  await page.context().close();
});

it('lets an operator in where the browser stores nothing', async () => {
  const { page, faults } = await openPage(browser, [service.url], { baseURL: service.url });
  await forbidStorage(page);
  await page.goto('/console');
  await page.getByRole('button', { name: /^Colours/ }).click();
  await signIn(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Root key').waitFor();
  expect(faults).toEqual([]);
  await page.context().close();
});

it('reads no list with a filter that is still being typed', async () => {
  const page = await open('#failures');
  await page.getByText('No such calls').waitFor();
  const statuses: number[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/v1/calls?')) statuses.push(response.status());
  });
  await page.getByLabel('Method').pressSequentially('messages.sen');
  await expect.poll(() => statuses.length, { timeout: 60_000 }).toBeGreaterThan(0);
  expect(statuses).not.toContain(400);
  const wanted = page.waitForResponse((response) => response.url().includes('method=messages.sendMessage'));
  await page.getByLabel('Method').fill('messages.sendMessage');
  await page.getByLabel('Method').press('Enter');
  expect((await wanted).status()).toBe(200);
  await page.context().close();
});

it('says why the figures are missing also when that changes', async () => {
  const page = await open('#overview');
  let code = 'first';
  const refuse = (route: Route) =>
    route.fulfill({ status: 503, json: { code, title: `The ${code} reason.`, retryable: true } });
  await page.route('**/v1/scaling', refuse);
  await page.getByRole('alert').filter({ hasText: 'The first reason' }).waitFor();
  code = 'second';
  await page.getByRole('alert').filter({ hasText: 'The second reason' }).waitFor();
  await page.context().close();
});

it('shows a pause also if a read that began before it is answered late', async () => {
  const { id } = await service.aWorkspace();
  const page = await open(`#workspaces/${id}`);
  await page.getByText('Not paused').waitFor();
  let release = () => {};
  const isOver = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHolding = true;
  const held: Promise<void>[] = [];
  const answerLate = async (route: Route) => {
    const response = await route.fetch();
    await isOver;
    await route.fulfill({ response }).catch(() => undefined);
  };
  await page.route('**/v1/pauses?*', (route) => {
    if (isHolding) held.push(answerLate(route));
    else void route.continue();
  });
  // It reads every five seconds.
  await page.waitForTimeout(6_000);
  isHolding = false;
  await page.getByRole('button', { name: 'Pause…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
  await page.getByText('paused: calls wait').waitFor();
  release();
  await Promise.all(held);
  await page.waitForTimeout(500);
  expect(await page.getByText('Not paused').count()).toBe(0);
  await page.context().close();
});

it('says that a pause failed also after its dialog was closed', async () => {
  const { id } = await service.aWorkspace();
  const page = await open(`#workspaces/${id}`);
  await page.getByRole('button', { name: 'Pause…' }).click();
  let refuse = () => {};
  await page.route('**/v1/pauses/**', (route) => {
    refuse = () => void route.abort();
  });
  const asked = page.waitForRequest('**/v1/pauses/**');
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
  await asked;
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  refuse();
  await page.getByText('it may be done or not').waitFor({ timeout: 10_000 });
  await page.context().close();
});

it('recovers the deliveries of the last day by the clock of the gateway, not of the browser', async () => {
  const { id: workspaceId } = await service.aWorkspace();
  const { id } = await service.ok('POST', '/v1/webhooks', { workspaceId, url: 'http://127.0.0.1:9/' });
  const { page } = await openPage(browser, [service.url], { baseURL: service.url });
  await page.clock.install({ time: Date.now() + 30 * 3_600_000 });
  await page.goto(`/console#webhooks/${id}`);
  await signIn(page);
  await page.getByRole('button', { name: 'Recover…' }).click();
  const asked = page.waitForRequest('**/recover');
  await page.getByRole('dialog').getByRole('button', { name: 'Recover' }).click();
  const { since } = (await asked).postDataJSON();
  const hours = (Date.now() - Date.parse(since)) / 3_600_000;
  expect([hours > 23.9, hours < 24.1]).toEqual([true, true]);
  await page.context().close();
});

it('says how many calls were replayed before a request failed', async () => {
  const page = await open('#failures');
  const { id } = await service.aWorkspace();
  await page.getByLabel('Workspace').fill(id);
  await page.getByLabel('Workspace').press('Enter');
  let asked = 0;
  await page.route('**/v1/calls/replay', (route) => {
    asked += 1;
    const json = { found: 100, replayed: 98, skipped: 2, paused: 0, next: String(asked) };
    return asked > 2 ? route.abort() : route.fulfill({ json });
  });
  await page.getByRole('button', { name: 'Replay all of a workspace' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
  await page.getByRole('alert').filter({ hasText: 'Replayed 196 calls, then: No answer came' }).waitFor();
  await page.context().close();
});

it.each([
  ['says that replays wait for the rate limit, and goes on where it was', 'wait'],
  ['stops replays that wait when the page is left', 'leave'],
])('%s', async (_, what) => {
  const { page } = await openPage(browser, [service.url], { baseURL: service.url });
  await page.clock.install();
  await page.goto('/console#failures');
  await signIn(page);
  const { id } = await service.aWorkspace();
  await page.getByLabel('Workspace').fill(id);
  await page.getByLabel('Workspace').press('Enter');
  const places: (string | undefined)[] = [];
  await page.route('**/v1/calls/replay', (route) => {
    places.push(route.request().postDataJSON().startingAfter);
    const asked = places.length;
    const json = { found: 100, replayed: 98, skipped: 2, paused: 0, next: asked > 3 ? null : String(asked) };
    const problem = { code: 'rate_limited', detail: 'Wait for 3600 seconds.', retryAfter: 3_600 };
    return asked === 3 ? route.fulfill({ status: 429, json: problem }) : route.fulfill({ json });
  });
  await page.getByRole('button', { name: 'Replay all of a workspace' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Replay' }).click();
  await dialog.getByText('Replayed 196 calls so far. Wait for 3600 seconds.').waitFor();
  if (what === 'wait') {
    await page.clock.fastForward(3_600_000);
    await page.getByText('Replayed 294 calls; 6 had been replayed before').waitFor();
    expect(places).toEqual([undefined, '1', '2', '2']);
  } else {
    await page.goto('/console#workers');
    await page.getByText('Replayed 196 calls, then: It was stopped').waitFor();
    await page.clock.fastForward(3_600_000);
    expect(places).toEqual([undefined, '1', '2']);
  }
  await page.context().close();
});

it('names the new call of a replay whose end cannot be read', async () => {
  const { id: workspaceId } = await service.aWorkspace();
  const account = await service.anAccount(workspaceId);
  const faults = [{ method: 'messages.readMentions', count: 1, error: 'PEER_ID_INVALID' }];
  await service.ok('PUT', `/v1/messenger-accounts/${account.id}/sandbox/faults`, { faults });
  const peer = { _: 'inputPeerSelf' };
  const { body } = await callAsync(service, account, 'messages.readMentions', { peer });
  await endOf(service, body.id);
  const page = await open(`#failures/${workspaceId}`);
  await page.route('**/v1/calls/*?wait=*', (route) => route.abort());
  await page.getByRole('button', { name: `Replay ${body.id}` }).click();
  const answer = page.waitForResponse('**/replay');
  await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
  const { id } = await (await answer).json();
  const end = `as ${id}; how it ended is not known: The API does not answer`;
  await page.getByText(`Replayed messages.readMentions ${end}`).waitFor();
  await page.context().close();
});

it('gives a recovery the time that it takes, and says what to do when no answer comes', async () => {
  const { id: workspaceId } = await service.aWorkspace();
  const { id } = await service.ok('POST', '/v1/webhooks', { workspaceId, url: 'http://127.0.0.1:9/' });
  const page = await open(`#webhooks/${id}`);
  await page.evaluate(`{
    const { timeout } = AbortSignal;
    globalThis.patience = [];
    AbortSignal.timeout = (ms) => {
      patience.push(ms);
      return timeout.call(AbortSignal, ms);
    };
  }`);
  await page.route('**/recover', (route) => route.abort());
  await page.getByRole('button', { name: 'Recover…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Recover' }).click();
  await page.getByRole('alert').filter({ hasText: 'recover once more' }).waitFor();
  expect(await page.evaluate('Math.max(...patience)')).toBeGreaterThanOrEqual(60_000);
  await page.context().close();
});

it('breaks no name of a method within a word where problems are long', async () => {
  const { id } = await service.aWorkspace();
  const account = await service.anAccount(id);
  const faults = [{ method: 'messages.readMentions', count: 1, error: 'PEER_ID_INVALID' }];
  await service.ok('PUT', `/v1/messenger-accounts/${account.id}/sandbox/faults`, { faults });
  const { body } = await callAsync(service, account, 'messages.readMentions', {
    peer: { _: 'inputPeerSelf' },
  });
  await endOf(service, body.id);
  const page = await open('#failures');
  await page.getByTitle(body.id).waitFor();
  expect(await page.evaluate(BROKEN_WORDS)).toEqual([]);
  await page.context().close();
});
