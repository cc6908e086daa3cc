import { createReadStream } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPage, startBrowser } from '../support/browser/browser.ts';
import { type Account, Service } from '../support/service/service.ts';

const COMPILED = fileURLToPath(new URL('../../dist/src/', import.meta.url));
const PAGE = `<!doctype html><title>A page</title><link rel="icon" href="data:,"><script type="module">
import * as switchboard from '/client/index.js';
globalThis.switchboard = switchboard;
</script>`;

type Switchboard = typeof import('../../src/client/index.ts');

let service: Service;
let browser: Browser;
let site: Server;
let origin: string;
let ada: Account;
let bob: Account;

/** A site with a page and the client, as somebody would serve it. */
beforeAll(async () => {
  site = createServer(({ url = '/' }, response) => {
    const isScript = /^\/(client|tl)\/[\w/-]+\.js$/.test(url);
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    if (isScript) createReadStream(join(COMPILED, url)).pipe(response);
    else response.end(PAGE);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  [service, browser] = await Promise.all([Service.start({ env: { CORS_ORIGINS: origin } }), startBrowser()]);
  const { id } = await service.aWorkspace();
  [ada, bob] = await Promise.all([service.anAccount(id), service.anAccount(id)]);
});

afterAll(async () => {
  await Promise.all([browser?.close(), service?.stop()]);
  site.close();
});

it('a page calls, follows updates and meets a problem with the client', async () => {
  const { page, faults } = await openPage(browser, [origin, service.url]);
  await page.goto(origin);
  const { url, rootKey: key } = service;
  const seen = await page.evaluate(
    async ({ url, key, ada, bob }) => {
      const { Client, isApiError } = (globalThis as unknown as { switchboard: Switchboard }).switchboard;
      const client = new Client({ url, key });
      const account = client.account(ada.workspaceId, ada.id);
      const peer = { _: 'inputPeerUser', userId: bob.userId, accessHash: '0' } as const;
      const offset = await client.workspace(ada.workspaceId).offset();
      const { result, txid } = await account.messages.sendMessage({ peer, message: 'From a page' });
      const texts: string[] = [];
      const kinds = ['RawUpdateNewMessage'] as const;
      for await (const item of client.workspace(ada.workspaceId).updates({ offset, kinds })) {
        if (item.kind === 'stream.gap') continue;
        texts.push(JSON.stringify(item.update));
        if (texts.length === 2) break;
      }
      const code = await account.messages.sendMessage({ peer, message: '' }).then(
        () => 'none',
        (error) => (isApiError(error, 'messages.sendMessage') ? error.code : String(error)),
      );
      return { result: result._, txid, texts, code };
    },
    { url, key, ada, bob },
  );
  expect(seen).toEqual({
    result: 'updateShortSentMessage',
    txid: expect.any(Number),
    texts: [expect.stringContaining('From a page'), expect.stringContaining('From a page')],
    code: 'MESSAGE_EMPTY',
  });
  // A browser tells its console of each refused request.
  expect(faults.filter((fault) => !fault.includes('400 (Bad Request)'))).toEqual([]);
});
