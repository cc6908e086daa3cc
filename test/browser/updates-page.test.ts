import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPage, startBrowser } from '../support/browser/browser.ts';
import { Shell } from '../support/docs/shell.ts';
import { eventually } from '../support/eventually.ts';
import { findFreePort } from '../support/free-port.ts';
import { Service } from '../support/service/service.ts';

let service: Service;
let browser: Browser;
let shell: Shell;

beforeAll(async () => {
  [service, browser] = await Promise.all([Service.start(), startBrowser()]);
  shell = new Shell(service.rootKey);
});

afterAll(async () => {
  await Promise.all([browser?.close(), shell?.close()]);
  await service?.stop();
});

it('docs/examples/updates.html shows what an EventSource brings', async () => {
  const { id } = await service.aWorkspace();
  const [from, to] = await Promise.all([service.anAccount(id), service.anAccount(id)]);
  const port = String(await findFreePort());
  const site = shell.start('node docs/examples/updates-for-pages.mjs', {
    API: service.url,
    KEY: service.rootKey,
    WS: id,
    PAGE_PORT: port,
  });
  const origin = `http://127.0.0.1:${port}`;
  await eventually(() => site.printed.includes(origin), { timeoutMs: 60_000 });
  const { page, faults } = await openPage(browser, [origin]);
  await page.goto(origin);
  await page.waitForFunction("document.title === 'Up to date'");
  const peer = { _: 'inputPeerUser', userId: to.userId, accessHash: '0' };
  await service.result(from, 'messages.sendMessage', { peer, message: 'To a page' });
  await page.waitForSelector('li:nth-child(2)');
  const items = await page.locator('li').allTextContents();
  expect(items).toEqual([
    expect.stringMatching(/^RawUpdateNewMessage \d{16}$/),
    expect.stringMatching(/^RawUpdateNewMessage \d{16}$/),
  ]);
  expect(faults).toEqual([]);
});
