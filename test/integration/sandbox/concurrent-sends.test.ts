import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { peerOf, Sandbox, type StreamedUpdate } from '../../support/sandbox/sandbox.ts';

const SENDS = 200;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

describe('sends at once', () => {
  it('never conflict, and number messages and pts without a gap in both boxes', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const { updates } = await sandbox.watch(ada, () =>
      Promise.all(
        Array.from({ length: SENDS }, (_, i) =>
          i % 2 === 0 ? sandbox.send(ada, peerOf(bob), `${i}`) : sandbox.send(bob, peerOf(ada), `${i}`),
        ),
      ),
    );
    expect(sandbox.conflicts).toBe(0);
    expect(updates).toHaveLength(2 * SENDS);
    for (const account of [ada, bob])
      expectNoGap(updates.filter(({ accountId }) => accountId === account.id));
  });

  it('create groups side by side', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const groups = await Promise.all(Array.from({ length: 256 }, () => sandbox.aGroup(ada, bob)));
    expect(new Set(groups.map(({ chatId }) => chatId)).size).toBe(groups.length);
  });
});

function expectNoGap(updates: StreamedUpdate[]): void {
  const numbers = (of: (entry: StreamedUpdate) => number) => updates.map(of);
  const from = (first: number) => Array.from({ length: SENDS }, (_, i) => first + i);
  const ids = numbers(({ update }) => update.message.id);
  const pts = numbers(({ update }) => update.pts);
  expect(ids).toEqual(from(ids[0] as number));
  expect(pts).toEqual(from(pts[0] as number));
}
