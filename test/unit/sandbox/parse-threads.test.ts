import { expect, it } from 'vitest';
import { ParseAllowance } from '../../../workers/sandbox/model/text/rich/parse-allowance.ts';
import { ParseThreads } from '../../../workers/sandbox/model/text/rich/parse-threads.ts';

const WAIT_MS = 60_000;
const never = new AbortController().signal;

function markdown(source: string) {
  return { source, isHtml: false, links: true, files: [] };
}

function of(workspaceId: string, organizationId = workspaceId) {
  return { workspaceId, organizationId };
}

// Takes seconds.
const BOMB = markdown(`${'a'.repeat(32_000)}@`);

it(
  'ends a thread that is at one text for too long, refuses more of the workspace for a while, and serves others',
  async () => {
    const threads = new ParseThreads();
    const bombs = Array.from({ length: 20 }, () => threads.read(of('ws_a'), BOMB, never));
    const other = threads.read(of('ws_b'), markdown('*Hello*'), never);
    const ended = await Promise.allSettled(bombs);
    const [first, ...rest] = ended.map((one) => (one.status === 'rejected' ? one.reason.error : 'read'));
    expect(first).toBe('MESSAGE_TOO_LONG');
    for (const error of rest) expect(error).toMatch(/^FLOOD_WAIT_\d$/);
    expect(await other).toMatchObject({ blocks: [{ _: 'pageBlockParagraph', text: { _: 'textItalic' } }] });
    await expect(threads.read(of('ws_b'), markdown('> Hello'), never)).resolves.toMatchObject({ count: 1 });
  },
  WAIT_MS,
);

it(
  'leaves a workspace one thread',
  async () => {
    const threads = new ParseThreads();
    // Both are there: to start one may take longer than a text may.
    await Promise.all(['ws_c', 'ws_d'].map((id) => threads.read(of(id), markdown('0'), never)));
    const order: string[] = [];
    const done = (name: string) => () => void order.push(name);
    const bomb = threads.read(of('ws_a'), BOMB, never).catch(done('bomb'));
    const behind = threads.read(of('ws_a'), markdown('1'), never).catch(done('behind it'));
    await threads.read(of('ws_b'), markdown('2'), never).then(done('of others'));
    await Promise.all([bomb, behind]);
    expect(order).toEqual(['of others', 'bomb', 'behind it']);
  },
  WAIT_MS,
);

it(
  'lets no organization take the time of others with many workspaces',
  async () => {
    const threads = new ParseThreads(() => 0);
    let tooLongSoFar = 0;
    const bombs = Array.from({ length: 50 }, (_, n) =>
      threads.read(of(`ws_${n}`, 'org_a'), BOMB, never).catch((problem) => {
        if (problem.error === 'MESSAGE_TOO_LONG') tooLongSoFar += 1;
        throw problem;
      }),
    );
    const ended = Promise.allSettled(bombs);
    await threads.read(of('ws_b'), markdown('*Hello*'), never);
    expect(tooLongSoFar).toBeLessThanOrEqual(2);
    const errors = (await ended).map((one) => (one.status === 'rejected' ? one.reason.error : 'read'));
    const tooLong = errors.filter((error) => error === 'MESSAGE_TOO_LONG');
    // Each costs two seconds of CPU time. The organization has two, and may overdraw them once.
    expect(tooLong).toHaveLength(2);
    for (const error of errors) expect(error).toMatch(/^(MESSAGE_TOO_LONG|FLOOD_WAIT_\d)$/);
  },
  WAIT_MS,
);

it('does not begin with what nobody waits for any more', async () => {
  const reason = new Error('gone');
  await expect(new ParseThreads().read(of('ws_a'), BOMB, AbortSignal.abort(reason))).rejects.toBe(reason);
});

it('gives a quarter of a second back in every second', () => {
  let now = 0;
  const allowance = new ParseAllowance({ mostMs: 1_000, msPerSecond: 250 }, () => now);
  allowance.charge('ws_a', 1_000);
  expect(allowance.waitSeconds('ws_a')).toBe(0);
  allowance.charge('ws_a', 500);
  expect(allowance.waitSeconds('ws_a')).toBe(2);
  expect(allowance.waitSeconds('ws_b')).toBe(0);
  now = 1_000;
  expect(allowance.waitSeconds('ws_a')).toBe(1);
  now = 2_000;
  expect(allowance.waitSeconds('ws_a')).toBe(0);
});
