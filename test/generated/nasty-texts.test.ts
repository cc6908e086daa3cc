import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRandomId, Sandbox } from '../support/sandbox/sandbox.ts';

const LENGTH = 32_000;
const TIMES = 4;
/** Time of this process, not of the clock: others may be at work. */
const MOST_CPU_MS = 3_000;
const REFUSED = /^(MESSAGE_EMPTY|MESSAGE_TOO_LONG|ENTITY_|DOCUMENT_INVALID|invalid_params)/;

/** What parsers of markdown, HTML, addresses and names have been known to choke on, to be repeated. */
const FRAGMENTS = [
  '*',
  '_',
  '**a',
  '__a_',
  '*a_b',
  '~~',
  '~',
  '`',
  '``a',
  '[',
  '![',
  '[a](',
  '[a](<',
  '](',
  '[[]',
  '![[a](b)',
  '\\',
  '<',
  '</',
  '<a',
  '<a href="',
  '<!--',
  '<![CDATA[',
  '<?',
  '&',
  '&#',
  '&#x41',
  '&amp',
  '>',
  '> ',
  '- ',
  '-\n',
  '1. ',
  '\t',
  ' \n',
  '\n\n',
  '#',
  '# ',
  '|',
  '|-',
  '|a|\n|-|\n',
  '$',
  '$$',
  '$a',
  '==',
  '==a',
  '||',
  '||a',
  '@',
  '@a',
  '@abcd ',
  'a@',
  'a@b.',
  'a.',
  '.a@a',
  'http://',
  'http://a.',
  'www.',
  'www.a.',
  '+1',
  '+1 (2',
  '/a',
  '/a@',
  '#a',
  '$ABC',
  '<b>',
  '<b><i>',
  '</b>',
  '<table><tr>',
  '<ul><li>',
  '<details>',
  '<pre><code>',
  '<blockquote>',
  '[a]: b\n',
  '[a]: <',
  '[^a]: ',
  '- [ ] ',
  '```\n',
  '~~~\n',
  '---\n',
  '===\n',
  'a\n=',
  'é',
  '\u0300',
  '\ud83d\ude00',
  '\u200d',
  '\u202e',
  ' ',
  '\u00a0',
  '\u2028',
  '\ud800',
  '(',
  ')',
  '((',
  '"',
  "'",
  ':',
  ':a:',
  '\u0000',
  '\u00011\u0002',
];

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

const message = { peer: { _: 'inputPeerSelf' }, message: '' };

async function cpuMsOf(params: object): Promise<number> {
  // One whose workspace has read nothing yet that takes long.
  const ada = await sandbox.anAccount();
  const before = process.cpuUsage();
  const sent = sandbox.call(ada, 'messages.sendMessage', { ...message, randomId: aRandomId(), ...params });
  await sent.catch((error: Error) => expect(error.message).toMatch(REFUSED));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe.each([
  ['a message', (text: string) => ({ message: text.slice(0, 4_096) })],
  ['markdown', (markdown: string) => ({ richMessage: { _: 'inputRichMessageMarkdown', markdown } })],
  ['HTML', (html: string) => ({ richMessage: { _: 'inputRichMessageHTML', html } })],
])('%s', (_name, paramsOf) => {
  it.each(FRAGMENTS)('of nothing but %j is read in proportion to its length', async (fragment) => {
    const text = (length: number) => fragment.repeat(Math.ceil(length / fragment.length)).slice(0, length);
    let [quarter, whole] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    const isLinear = () => whole < MOST_CPU_MS || whole < quarter * TIMES * 2;
    // What else the machine does only adds to a run: the least of several, in turn, is without.
    for (let round = 1; round <= 10 && (round <= 3 || !isLinear()) && whole >= MOST_CPU_MS; round += 1) {
      quarter = Math.min(quarter, await cpuMsOf(paramsOf(text(LENGTH / TIMES))));
      whole = Math.min(whole, await cpuMsOf(paramsOf(text(LENGTH))));
    }
    expect({ quarter, whole, isLinear: isLinear() }).toMatchObject({ isLinear: true });
  });
});
