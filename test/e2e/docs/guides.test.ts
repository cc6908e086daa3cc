import { afterAll, beforeAll, expect, it } from 'vitest';
import { blocksOf, pagePaths } from '../../support/docs/pages.ts';
import { Shell } from '../../support/docs/shell.ts';
import { findFreePort } from '../../support/free-port.ts';
import { Service } from '../../support/service/service.ts';

/** What the commands of each guide print, among other things. */
const GUIDES: [page: string, printed: RegExp[]][] = [
  [
    'README.md',
    [
      /"kind":"RawUpdateNewMessage"/,
      /"upToDate":true/,
      /updateShortSentMessage \d{16}\nRawUpdateNewMessage \d{16}\n/,
    ],
  ],
  ['docs/api.md', [/"name":"messages.sendMessage"/, /"valid":true/, /Ada\nBob\n/]],
  [
    'docs/sending.md',
    [
      /"results":\[\{.*"status":200.*"status":200/,
      /250 sent, 0 failed\n3 accepted\n(call.succeeded \d{16}\n){3}/,
    ],
  ],
  [
    'docs/async-calls.md',
    [/"status":"succeeded"/, /"status":"canceled".*\n\{"id":"call_\w+","status":"queued"\}/, /"replayed":0/],
  ],
  ['docs/streams.md', [/"kind":"RawUpdateNewMessage"/]],
  ['docs/keys.md', [/sb_\w+\n/, /"limit":100/]],
  ['docs/operating.md', [/"mode":"refuse"/, /"state":"draining"/, /"logLevel":"debug"/, /"action":"pause"/]],
  ['docs/webhooks.md', [/listening on port/, /webhook.ping /, /^RawUpdateNewMessage .*To the webhook/m]],
];

/** Pages whose commands are run elsewhere, and where. */
const ELSEWHERE: Record<string, string> = {
  'docs/contributing.md': 'commands of npm, which unit/docs compares with package.json',
  'docs/cli.md': 'e2e/cli',
  'docs/deploy/README.md': 'e2e/docs/operating',
  'docs/performance.md': 'takes minutes: npm run bench',
  'docs/torture.md': 'takes minutes; chaos/torture is its short form',
};

/** What a block has started is there before the next one runs, as with somebody who pastes them. */
const THEN =
  'while [ -n "$(jobs -p)" ] && ! (exec 3<>/dev/tcp/127.0.0.1/$WEBHOOK_PORT) 2> /dev/null; do sleep 0.1; done';

let service: Service;
let shell: Shell;

beforeAll(async () => {
  service = await Service.start({ workers: 2, env: { WEBHOOKS_ALLOW_PRIVATE: '1' } });
  shell = new Shell(service.rootKey);
});

afterAll(async () => {
  await shell.close();
  await service.stop();
});

it.each(GUIDES)('the commands of %s work as they stand', async (page, printed) => {
  // The first block of the README starts what runs here already; the second makes what all guides go on from.
  const [, firstCall = '', ...more] = blocksOf('README.md', 'sh');
  const blocks = page === 'README.md' ? more : blocksOf(page, 'sh');
  const text = await shell.run(
    [firstCall, ...blocks, 'wait'].join(`\n${THEN}\n`),
    { API: service.url, WEBHOOK_PORT: String(await findFreePort()) },
    printed,
  );
  for (const pattern of printed) expect(text).toMatch(pattern);
});

it('there are no commands that nothing runs', () => {
  const known = [...GUIDES.map(([page]) => page), ...Object.keys(ELSEWHERE)];
  const pages = pagePaths().filter((page) => blocksOf(page, 'sh').length > 0);
  expect(pages.filter((page) => !known.includes(page))).toEqual([]);
});
