import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers, openPage, startBrowser } from '../support/browser/browser.ts';
import { compilePrograms, runProgram } from '../support/client/program.ts';
import { type Account, Service } from '../support/service/service.ts';

const run = promisify(execFile);
const SIZES = [
  { name: '1440 px', width: 1440, height: 900 },
  { name: '390 px', width: 390, height: 844 },
];
// For whoever wants to look at it.
const PICTURES = process.env.PICTURES;

// With the modules of the page. As text, since the test runner would make an import its own.
const ALL_PROGRAMS = `(async () => {
  const address = document.querySelector('script[type=module]').src;
  const load = (name) => import(new URL(name + '.js', address));
  const [{ Connection }, { Reference }, { exampleOf }, { readyRequest }, { toTypescript }] =
    await Promise.all(['connection', 'reference', 'example', 'request', 'samples'].map(load));
  const reference = new Reference(await (await fetch('/openapi.json')).json());
  const connection = new Connection(location.origin);
  return reference.operations.map((operation) => {
    const { body } = operation;
    const example = body && (body.example ?? exampleOf(reference, body.schema));
    const form = { values: {}, body: JSON.stringify(example) };
    return toTypescript(connection, operation, form, readyRequest(connection, operation, form)) + '\\nexport {};';
  });
})()`;

// Each part of a title is a text of its own.
const BROKEN_NAMES = `(async () => {
  const address = document.querySelector('script[type=module]').src;
  const { Reference } = await import(new URL('reference.js', address));
  const { operations } = new Reference(await (await fetch('/openapi.json')).json());
  const broken = [];
  for (const { id } of operations.filter(({ method }) => method !== null)) {
    const shown = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    location.hash = id;
    await shown;
    const range = document.createRange();
    const isBroken = (text) => {
      range.selectNodeContents(text);
      return range.getClientRects().length > 1;
    };
    const texts = [...document.querySelector('h1').childNodes].filter(({ nodeType }) => nodeType === 3);
    if (texts.length < 2 || texts.some(isBroken)) broken.push(id);
  }
  return broken;
})()`;

let service: Service;
let browser: Browser;
let ada: Account;

beforeAll(async () => {
  [service, browser] = await Promise.all([Service.start(), startBrowser()]);
  const { id } = await service.aWorkspace();
  ada = await service.anAccount(id, { name: 'Ada' });
  await service.anAccount(id, { name: 'Grace' });
});

afterAll(() => Promise.all([browser?.close(), service?.stop()]));

describe.each(SIZES)('/docs at $name', ({ name, width, height }) => {
  describe.each(['light', 'dark'] as const)('in the %s', (colorScheme) => {
    const open = (path = '/docs') =>
      openPage(browser, [service.url], {
        viewport: { width, height },
        colorScheme,
        baseURL: service.url,
        permissions: ['clipboard-read', 'clipboard-write'],
      }).then(async (watched) => {
        await watched.page.goto(path);
        return watched;
      });
    const check = async (page: Page, what: string) => {
      if (PICTURES)
        await page.screenshot({ path: `${PICTURES}/${name.slice(0, 4).trim()}-${colorScheme}-${what}.png` });
      expect([what, await findBarriers(page)]).toEqual([what, []]);
      const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      expect([what, isTooWide]).toEqual([what, false]);
    };

    it('finds a method, tries it, and gives code that works', async () => {
      const { page, faults } = await open();
      await page.getByRole('heading', { name: 'Switchboard API' }).waitFor();
      await check(page, 'start');

      await page.getByLabel('API key').fill(service.rootKey);
      await page.getByLabel('API key').press('Enter');
      await page.getByText('Ready: Ada').waitFor();

      await page.keyboard.press('Control+k');
      await page.getByRole('searchbox').fill('send message');
      await page.getByText(/\d+ found/).waitFor();
      await check(page, 'search');
      await page.getByRole('searchbox').fill('sendMesage');
      await page.getByRole('searchbox').press('Enter');
      await page.getByRole('heading', { name: 'messages.sendMessage' }).waitFor();
      expect(new URL(page.url()).hash).toBe('#messages.sendMessage');

      const body = page.getByLabel('Body', { exact: true });
      const example = await service.ok(
        'GET',
        `/v1/methods/messages.sendMessage?messengerAccountId=${ada.id}`,
      );
      await expect.poll(() => body.inputValue(), { timeout: 60_000 }).toContain('"peer"');
      expect(Object.keys(JSON.parse(await body.inputValue()).params)).toEqual(
        Object.keys(example.example.params),
      );
      await page.getByRole('button', { name: 'Send POST' }).click();
      await page.getByText('200 OK').waitFor();
      expect(await page.getByRole('region', { name: 'Body of the answer' }).textContent()).toContain(
        '"txid"',
      );
      await check(page, 'tried');

      await page.getByRole('button', { name: 'Copy curl' }).click();
      const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
      // It is written in the background.
      await expect.poll(clipboard, { timeout: 60_000 }).toContain('curl');
      const curl = await clipboard();
      const { stdout } = await run('sh', ['-c', curl]);
      expect(JSON.parse(stdout)).toMatchObject({ result: expect.any(Object), txid: expect.any(Number) });

      await page.getByRole('button', { name: 'TypeScript', exact: true }).click();
      await page.getByRole('button', { name: 'Copy TypeScript' }).click();
      await expect.poll(clipboard, { timeout: 60_000 }).toContain('account.messages.sendMessage({');
      const program = await clipboard();
      expect(await runProgram(program, { SWITCHBOARD_KEY: service.rootKey })).toMatch(/^\d{16} /);

      await page.getByText('forms of InputPeer').first().click();
      await page.getByText('inputPeerUser', { exact: true }).first().click();
      await page.getByText('access_hash value').first().waitFor();
      await check(page, 'unfolded');
      expect(faults).toEqual([]);
      await page.context().close();
    });

    it('shows and tries requests that are no methods, and remembers the ids', async () => {
      const { page, faults } = await open('/docs#listWebhooks');
      await page.getByLabel('API key').fill(service.rootKey);
      await page.getByLabel('API key').press('Enter');
      await page.getByText('Ready: Ada').waitFor();
      await page.reload();
      await page.getByText('Ready: Ada').waitFor();
      await page.getByRole('button', { name: 'Send GET' }).click();
      await page.getByText('200 OK').waitFor();
      await check(page, 'list');

      await page.goto('/docs#createWorkspace');
      await page.getByRole('button', { name: 'Send POST' }).click();
      await page.getByText('201 Created').waitFor();
      await page.goto('/docs#group/Webhooks');
      await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
      await check(page, 'group');
      expect(faults).toEqual([]);
      await page.context().close();
    });

    it('leads from a problem to its page', async () => {
      const { page } = await open('/docs#listWorkspaces');
      await page.getByRole('button', { name: 'Send GET' }).click();
      await page.getByRole('link', { name: 'What this error means' }).click();
      await page.getByRole('heading', { name: 'unauthorized' }).waitFor();
      await check(page, 'problem');
      await page.getByRole('link', { name: 'Errors' }).first().click();
      await page.getByRole('heading', { name: 'call_in_flight' }).waitFor();
      await check(page, 'problems');
      await page.context().close();
    });
  });
});

it('shows every request as a program that compiles', async () => {
  const { page } = await openPage(browser, [service.url]);
  await page.goto(`${service.url}/docs`);
  const programs = await page.evaluate<string[]>(ALL_PROGRAMS);
  expect(programs.length).toBeGreaterThan(140);
  expect(await compilePrograms(programs)).toBe('');
  await page.context().close();
});

it('breaks no name of a method within a word', async () => {
  const { page } = await openPage(browser, [service.url], { viewport: { width: 1280, height: 800 } });
  await page.goto(`${service.url}/docs`);
  await page.getByRole('heading', { name: 'Switchboard API' }).waitFor();
  expect(await page.evaluate(BROKEN_NAMES)).toEqual([]);
  await page.context().close();
});

it('shows a stream as it comes, and ends it when another operation is looked at', async () => {
  const { page, faults } = await openPage(browser, [service.url]);
  await page.goto(`${service.url}/docs#readUpdates`);
  await page.getByRole('heading', { name: 'Try it' }).waitFor();
  await page.getByLabel('API key').fill(service.rootKey);
  await page.getByLabel('API key').press('Enter');
  await page.getByText('Ready: Ada').waitFor();
  await page.getByText(/^Options/).click();
  await page.getByLabel('live', { exact: true }).fill('sse');
  await page.getByLabel('offset', { exact: true }).fill('-1');
  await page.getByRole('button', { name: 'Send GET' }).click();
  const body = page.getByRole('region', { name: 'Body of the answer' });
  for (const message of ['first', 'second']) {
    const peer = { _: 'inputPeerSelf' };
    await service.result(ada, 'messages.sendMessage', { peer, message: `the ${message} of a stream` });
    await expect.poll(() => body.textContent(), { timeout: 60_000 }).toContain(`the ${message} of a stream`);
  }
  expect(await body.textContent()).toContain('the first of a stream');
  const [left] = await Promise.all([
    page.waitForEvent('requestfailed', (request) => request.url().includes('live=sse')),
    page.goto(`${service.url}/docs#listWebhooks`),
  ]);
  expect(left.failure()?.errorText).toBe('net::ERR_ABORTED');
  expect(faults).toEqual([]);
  await page.context().close();
});

it('says without JavaScript where to read the same', async () => {
  const { page } = await openPage(browser, [service.url], { javaScriptEnabled: false });
  await page.goto(`${service.url}/docs`);
  // Looking by text leaves out what is for browsers without scripts.
  await page.locator('noscript p').waitFor();
  await page.context().close();
});
