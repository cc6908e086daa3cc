import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findChromium } from './find-chromium.ts';

const WAIT_MS = 60_000;

/** Headless Chromium that asks for nothing by itself. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-component-update'],
  });
}

/** A page of a browser, with what must not happen in it. */
export interface WatchedPage {
  page: Page;
  /** Errors of the console and of scripts, and requests to other servers than `origins`. */
  faults: string[];
}

export async function openPage(
  browser: Browser,
  origins: string[],
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && !origins.includes(origin))
      faults.push(`a request to ${request.url()}`);
  });
  return { page, faults };
}

/** What axe-core finds wrong on a page as it is now: the rule, and where. */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** Lets a page be loaded as where the user has forbidden the browser to store anything. */
export async function forbidStorage(page: Page): Promise<void> {
  await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { get() { throw new DOMException('Access is denied', 'SecurityError'); } });`);
}
