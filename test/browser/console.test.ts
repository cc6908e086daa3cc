import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_WEIGHT } from '../../src/directory/collections.ts';
import { createRecord } from '../../src/directory/records.ts';
import { newIdentity } from '../../src/ids.ts';
import { openRedis } from '../../src/redis/connections.ts';
import { findBarriers, openPage, startBrowser, type WatchedPage } from '../support/browser/browser.ts';
import { eventually } from '../support/eventually.ts';
import { Receiver } from '../support/http/receiver.ts';
import { callAsync, endOf } from '../support/service/async-calls.ts';
import { type Account, Service } from '../support/service/service.ts';

const WORKSPACES = 10_000;
const SELF = { _: 'inputPeerSelf' };
const SEND = 'messages.sendMessage';
// For whoever wants to look at them.
const PICTURES = process.env.PICTURES ?? mkdtempSync(join(tmpdir(), 'switchboard-console-'));

let service: Service;
let browser: Browser;
let ada: Account;

beforeAll(async () => {
  service = await Service.start({ workers: 2, env: { WEBHOOKS_ALLOW_PRIVATE: '1' } });
  browser = await startBrowser();
  await eventually(async () => (await service.request('GET', '/readyz')).status === 200, {
    timeoutMs: 60_000,
  });
  const { id, organizationId } = await service.aWorkspace();
  ada = await service.anAccount(id, { name: 'Ada' });
  await fill(organizationId);
});

afterAll(() => Promise.all([browser?.close(), service?.stop()]));

/** Records as many workspaces as a large gateway has. */
async function fill(organizationId: string): Promise<void> {
  const redis = openRedis(service.redis.url, 'worker', () => undefined);
  const record = (i: number) => ({
    ...newIdentity('workspace'),
    name: `Shop ${i}`,
    organizationId,
    weight: DEFAULT_WEIGHT,
    maxConcurrentCalls: null,
    operatorCap: null,
    bytesMax: null,
    keysNoted: true,
  });
  for (let i = 0; i < WORKSPACES; i += 100)
    await Promise.all(
      Array.from({ length: 100 }, (_, k) => createRecord(redis, 'workspaces', record(i + k))),
    );
  redis.disconnect();
}

async function open(
  options: Parameters<typeof openPage>[2] = {},
  path = '/console',
  key = service.rootKey,
): Promise<WatchedPage> {
  const watched = await openPage(browser, [service.url], { baseURL: service.url, ...options });
  await watched.page.goto(path);
  await watched.page.getByLabel('Root key').fill(key);
  await watched.page.getByLabel('Root key').press('Enter');
  return watched;
}

function picture(page: Page, name: string): Promise<Buffer> {
  return page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

/** Sends calls without a pause until it is stopped, and gives how to stop it. */
function burst(atOnce: number): () => Promise<unknown> {
  let isOver = false;
  const send = async () => {
    while (!isOver) await service.call(ada, SEND, { peer: SELF, message: 'burst' });
  };
  const sending = Promise.all(Array.from({ length: atOnce }, send));
  return () => {
    isOver = true;
    return sending;
  };
}

/** An async call that fails the first time and would succeed the next. */
async function aFailedCall(message: string): Promise<string> {
  const faults = [{ method: SEND, count: 1, error: 'PEER_ID_INVALID' }];
  await service.ok('PUT', `/v1/messenger-accounts/${ada.id}/sandbox/faults`, { faults });
  const { body } = await callAsync(service, ada, SEND, { peer: SELF, message });
  expect((await endOf(service, body.id)).status).toBe('failed');
  return body.id;
}

describe.each(['light', 'dark'] as const)('in the %s', (colorScheme) => {
  it.each([
    ['wide', { width: 1440, height: 900 }],
    ['narrow', { width: 390, height: 844 }],
  ] as const)('every part has no barrier and fits, %s', async (name, viewport) => {
    const call = await aFailedCall('to be seen');
    const { page, faults } = await open({ colorScheme, viewport });
    const parts = {
      overview: 'Overview',
      workers: 'Workers',
      failures: 'Failures',
      calls: 'Async calls',
      webhooks: 'Webhooks',
      updates: 'Updates',
      workspaces: 'Workspaces',
      pauses: 'Pauses',
      settings: 'Settings',
      audit: 'Audit',
      [`workspaces/${ada.workspaceId}`]: 'Workspace',
      [`workspaces/${ada.id}`]: 'Ada',
      [`updates/${ada.workspaceId}`]: 'Updates',
    };
    for (const [hash, title] of Object.entries(parts)) {
      await page.goto(`/console#${hash}`);
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
      await expect.poll(() => page.getByText('Reading…').count(), { timeout: 60_000 }).toBe(0);
      if (hash === 'failures') await page.getByTitle(call).waitFor();
      await picture(page, `${colorScheme}-${name}-${hash.replace(/\/.*/, '-one')}`);
      expect([hash, await findBarriers(page)]).toEqual([hash, []]);
      const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      expect([hash, isTooWide]).toEqual([hash, false]);
    }
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

it('shows a burst and whose it is', async () => {
  const { page } = await open();
  const stop = burst(60);
  try {
    await page
      .getByRole('table', { name: 'Workspaces that ask for most' })
      .getByTitle(ada.workspaceId)
      .waitFor();
    await page
      .getByText(/\d+ running|Workers/)
      .first()
      .waitFor();
    await page.waitForTimeout(Number(process.env.PICTURES_AFTER_MS ?? 0));
    await picture(page, 'burst');
  } finally {
    await stop();
  }
  await page.context().close();
});

it('replays a failed call', async () => {
  const id = await aFailedCall('once more');
  const { page, faults } = await open({}, '/console#failures');
  await page.getByRole('button', { name: `Replay ${id}` }).click();
  await picture(page, 'failure');
  await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
  await page.getByText(/Replayed messages\.sendMessage as call_\w+: succeeded/).waitFor();
  await page.getByRole('checkbox', { name: 'Choose all of this page' }).check();
  await page.getByRole('button', { name: /^Replay \d+ chosen$/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
  await page.getByText(/\d+ calls are replayed/).waitFor();
  await picture(page, 'replayed');
  expect(faults).toEqual([]);
  await page.context().close();
});

it('shows updates as they come, holds them while paused, and changes a limit where it is shown', async () => {
  const { page, faults } = await open({}, `/console#updates/${ada.workspaceId}`);
  await page.getByText('Connected').waitFor();
  await service.result(ada, SEND, { peer: SELF, message: 'seen at once' });
  await page.getByText('seen at once').waitFor();
  await page.getByRole('heading', { name: 'Updates' }).click();
  await page.keyboard.press('p');
  await service.result(ada, SEND, { peer: SELF, message: 'seen later' });
  await page.getByRole('button', { name: /Go on \(\d+ new\)/ }).waitFor();
  expect(await page.getByText('seen later').count()).toBe(0);
  await page.keyboard.press('p');
  await page.getByText('seen later').waitFor();

  await page.goto(`/console#workspaces/${ada.workspaceId}`);
  await page.getByLabel('Calls at once').fill('12');
  await page.getByRole('button', { name: 'Save limits' }).click();
  await page.getByText('Saved').waitFor();
  const { maxConcurrentCalls } = await service.ok('GET', `/v1/workspaces/${ada.workspaceId}`);
  expect(maxConcurrentCalls).toBe(12);
  await page.getByLabel('Calls at once').fill('');
  await page.getByRole('button', { name: 'Save limits' }).click();
  await expect
    .poll(async () => (await service.ok('GET', `/v1/workspaces/${ada.workspaceId}`)).maxConcurrentCalls, {
      timeout: 60_000,
    })
    .toBe(null);
  expect(faults).toEqual([]);
  await page.context().close();
});

it('changes settings of all processes where they are shown', async () => {
  const { page, faults } = await open({}, '/console#settings');
  await page.getByLabel('Log level').selectOption('warn');
  await page.getByLabel('Key rate limit').fill('1000/60');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Saved').waitFor();
  expect(await service.ok('GET', '/v1/settings')).toMatchObject({
    logLevel: 'warn',
    keyRateLimit: { limit: 1_000, windowSeconds: 60 },
  });
  await picture(page, 'settings');
  await page.getByLabel('Log level').selectOption('');
  await page.getByLabel('Key rate limit').fill('');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect
    .poll(async () => (await service.ok('GET', '/v1/settings')).logLevel, { timeout: 60_000 })
    .toBe(null);
  expect(faults).toEqual([]);
  await page.context().close();
});

it('goes by keyboard', async () => {
  const { page } = await open();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'hidden' });
  await page.keyboard.press('7');
  await page.getByRole('heading', { name: 'Workspaces', exact: true }).waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.tagName'), { timeout: 60_000 }).toBe('H1');
  await page.keyboard.press('/');
  await page.keyboard.type(ada.workspaceId);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Limits' }).waitFor();
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.matches(":focus-visible")')).toBe(true);
  await page.context().close();
});

it.each(['constructor', '%'])('shows the overview for #%s, which names no part', async (hash) => {
  const { page, faults } = await open({}, `/console#${hash}`);
  await page.getByRole('heading', { level: 1, name: 'Overview', exact: true }).waitFor();
  await page.goto('/console#workers');
  await page.getByRole('heading', { level: 1, name: 'Workers', exact: true }).waitFor();
  await page.goto(`/console#${hash}`);
  await page.getByRole('heading', { level: 1, name: 'Overview', exact: true }).waitFor();
  expect(faults).toEqual([]);
  await page.context().close();
});

it('says which scope a key lacks, and keeps the key in this tab only', async () => {
  const { organizationId } = await service.aWorkspace();
  const wanted = { name: 'reader', scopes: ['calls:read'], organizationId };
  const { secret } = await service.ok('POST', '/v1/api-keys', wanted);
  const { page } = await open({}, '/console', secret);
  await page.getByText('lacks the scope operate').waitFor();
  const operator = await service.ok('POST', '/v1/api-keys', { ...wanted, scopes: ['operate'] });
  await page.getByLabel('Root key').fill(operator.secret);
  await page.getByLabel('Root key').press('Enter');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.goto('/console#failures');
  await page.getByText('the scope calls:read').waitFor();
  expect(page.url()).not.toContain(operator.secret);
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(operator.secret);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Root key').waitFor();
  await page.context().close();
});

it('pauses a workspace, resumes it, and lists who did so', async () => {
  const { page, faults } = await open({}, `/console#workspaces/${ada.workspaceId}`);
  await page.getByRole('button', { name: 'Pause…' }).click();
  await page.getByLabel('New calls').selectOption('refuse');
  await page.getByLabel('Reason').fill('It is being moved');
  await picture(page, 'pause');
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
  await page.getByText('paused: calls are refused').waitFor();
  const refused = await service.call(ada, SEND, { peer: SELF, message: 'too late' });
  expect([refused.status, refused.body.detail]).toEqual([503, expect.stringContaining('It is being moved')]);

  await page.goto('/console#pauses');
  await page.getByRole('cell', { name: 'It is being moved' }).waitFor();
  await picture(page, 'pauses');
  await page.getByRole('button', { name: `Resume ${ada.workspaceId}` }).click();
  await page.getByText('Nothing is paused.').waitFor();
  expect((await service.call(ada, SEND, { peer: SELF, message: 'again' })).status).toBe(200);

  await page.goto('/console#audit');
  for (const action of ['pause', 'resume'])
    await page.getByRole('cell', { name: action, exact: true }).waitFor();
  await picture(page, 'audit');
  expect(faults).toEqual([]);
  await page.context().close();
});

it('tells a key with the name of the root key from it', async () => {
  const named = { name: 'root key', workspaceId: ada.workspaceId, scopes: ['operate'] };
  const key = await service.ok('POST', '/v1/api-keys', named);
  const paused = { mode: 'wait', reason: null };
  const answer = await service.request('PUT', '/v1/pauses/lane/slow', paused, { key: key.secret });
  expect(answer.status).toBe(200);
  const { page } = await open({}, '/console#pauses');
  const byKey = page.getByRole('cell', { name: /^root key key_…/ });
  await byKey.getByTitle(key.id).waitFor();
  await page.goto('/console#audit');
  await byKey.getByTitle(key.id).waitFor();
  await page.getByRole('cell', { name: 'root key', exact: true }).first().waitFor();
  await service.ok('DELETE', '/v1/pauses/lane/slow');
  await page.context().close();
});

it(`shows the first of ${WORKSPACES} workspaces, and pages through them`, async () => {
  const { page } = await open({}, '/console#workspaces');
  const row = page.getByRole('table', { name: 'Workspaces' }).getByRole('link').first();
  await row.waitFor();
  await page.reload();
  await row.waitFor();
  const painted = await page.evaluate<number>(
    "performance.getEntriesByName('first-contentful-paint')[0].startTime",
  );
  const shown = await page.evaluate<number>('performance.now()');
  console.info(`first paint after ${Math.round(painted)} ms, workspaces after ${Math.round(shown)} ms`);
  expect(await page.getByRole('row').count()).toBe(51);
  const first = await row.textContent();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect.poll(() => row.textContent(), { timeout: 60_000 }).not.toBe(first);
  await page.getByRole('button', { name: 'Previous' }).click();
  await expect.poll(() => row.textContent(), { timeout: 60_000 }).toBe(first);
  await page.context().close();
});

it('drains a worker', async () => {
  const { page, faults } = await open({}, '/console#workers');
  const drains = page.getByRole('button', { name: /^Drain worker-/ });
  await drains.nth(1).waitFor();
  const id = ((await drains.first().getAttribute('aria-label')) ?? '').replace('Drain ', '');
  await drains.first().click();
  await picture(page, 'drain');
  await page.getByRole('dialog').getByRole('button', { name: 'Drain' }).click();
  await page.getByText(`${id} is asked to drain`).waitFor();
  await page.getByRole('button', { name: `Drain ${id}` }).waitFor({ state: 'detached' });
  await picture(page, 'drained');
  await expect.poll(() => drains.count(), { timeout: 60_000 }).toBe(1);
  expect((await service.call(ada, SEND, { peer: SELF, message: 'to the other' })).status).toBe(200);
  expect(faults).toEqual([]);
  await page.context().close();
});

it('names the webhook whose receiver is away, and leads to its deliveries', async () => {
  const receiver = await Receiver.start();
  receiver.answer = () => 500;
  const { workspaceId } = ada;
  const { id } = await service.ok('POST', '/v1/webhooks', { workspaceId, url: receiver.url });
  await service.result(ada, SEND, { peer: SELF, message: 'For the webhook' });
  const { page, faults } = await open({}, '/console#webhooks');
  const behind = page.getByRole('table', { name: 'Webhooks that are furthest behind' });
  await behind.getByTitle(id).waitFor();
  await picture(page, 'light-wide-webhooks-behind');
  expect(await findBarriers(page)).toEqual([]);
  await behind.getByTitle(id).click();
  await page.getByText('500 after').first().waitFor();
  await service.ok('PATCH', `/v1/webhooks/${id}`, { status: 'disabled' });
  await page.goto('/console#webhooks');
  await behind.waitFor({ state: 'hidden' });
  expect(faults).toEqual([]);
  await page.context().close();
  await receiver.stop();
});
