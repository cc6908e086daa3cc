import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ConflictLines } from '../../../workers/executor/conflict-lines.ts';

const COUNT = 50;
const { signal } = new AbortController();
const WORKSPACE = { workspaceId: 'a workspace', signal };
const ANOTHER = { workspaceId: 'another', signal };
const WAIT_MAX_MS = 500;

/** A value that runs read, and then change if nothing has changed it since. */
class Shared {
  value = 0;
  attempts = 0;

  readonly change = async (): Promise<number | null> => {
    this.attempts += 1;
    const read = this.value;
    await nextTurn();
    if (this.value !== read) return null;
    this.value += 1;
    return this.value;
  };
}

// Conflicts twice, and then does `next`.
function stuckAt(next: () => Promise<never>) {
  return async (conflicts: number) => (conflicts < 2 ? null : next());
}

const never = () => new Promise<never>(() => undefined);

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

it('runs that conflict again and again go on one after another', async () => {
  const shared = new Shared();
  const lines = new ConflictLines();
  await Promise.all(Array.from({ length: COUNT }, () => lines.repeat(WORKSPACE, shared.change)));
  expect(shared.value).toBe(COUNT);
  expect(shared.attempts).toBeLessThanOrEqual(3 * COUNT);
});

it('the lines of two processes, and calls that have just come, cost few attempts more', async () => {
  const shared = new Shared();
  const lines = [new ConflictLines(), new ConflictLines()];
  const running: Promise<unknown>[] = [];
  for (let index = 0; index < COUNT; index += 1) {
    running.push((lines[index % 2] as ConflictLines).repeat(WORKSPACE, shared.change));
    if (index % 5 === 0) await nextTurn();
  }
  await Promise.all(running);
  expect(shared.value).toBe(COUNT);
  expect(shared.attempts).toBeLessThan(6 * COUNT);
});

it('a run that is first in its line holds up neither other workspaces nor runs that conflict once', async () => {
  const lines = new ConflictLines(WAIT_MAX_MS);
  const ended: string[] = [];
  void lines.repeat(WORKSPACE, stuckAt(never));
  await turns(10);
  const run = async (name: string, workspace: typeof WORKSPACE, conflictsOf: number) => {
    await lines.repeat(workspace, async (conflicts) => (conflicts < conflictsOf ? null : true));
    ended.push(name);
  };
  await Promise.all([
    run('behind it', WORKSPACE, 2),
    run('once', WORKSPACE, 1),
    run('elsewhere', ANOTHER, 2),
  ]);
  expect(ended.at(-1)).toBe('behind it');
});

it('a run that fails lets the next one go on', async () => {
  const lines = new ConflictLines(WAIT_MAX_MS);
  const ended: string[] = [];
  void lines.repeat(ANOTHER, stuckAt(never));
  const behind = lines.repeat(ANOTHER, async (conflicts) => (conflicts < 2 ? null : true));
  const failing = stuckAt(() => Promise.reject(new Error('refused')));
  const five = Promise.allSettled(Array.from({ length: 5 }, () => lines.repeat(WORKSPACE, failing)));
  await Promise.all([
    behind.then(() => ended.push('waited for one that does not end')),
    five.then((results) => ended.push(...results.map(({ status }) => status))),
  ]);
  expect(ended).toEqual([...Array(5).fill('rejected'), 'waited for one that does not end']);
});

it('a run gives up after 60 conflicts', async () => {
  let attempts = 0;
  const always = async () => {
    attempts += 1;
    return null;
  };
  await expect(new ConflictLines().repeat(WORKSPACE, always)).rejects.toMatchObject({ code: 'overloaded' });
  expect(attempts).toBe(60);
});

it('a run that is to stop does not wait, and the next one goes on', async () => {
  const lines = new ConflictLines();
  const stopping = new AbortController();
  let endFirst = (): void => undefined;
  const first = new Promise<boolean>((resolve) => {
    endFirst = () => resolve(true);
  });
  const twice = async (conflicts: number) => (conflicts < 2 ? null : true);
  void lines.repeat(WORKSPACE, (conflicts) => (conflicts < 2 ? Promise.resolve(null) : first));
  await turns(10);
  const stopped = lines.repeat({ ...WORKSPACE, signal: stopping.signal }, twice);
  const next = lines.repeat(WORKSPACE, twice);
  await turns(10);
  stopping.abort(new Error('canceled'));
  await expect(stopped).rejects.toThrow('canceled');
  endFirst();
  expect(await next).toBe(true);
});

it('nor does one that was stopped during its attempt', async () => {
  const lines = new ConflictLines();
  const stopping = new AbortController();
  void lines.repeat(WORKSPACE, stuckAt(never));
  await turns(10);
  const conflicting = async (conflicts: number) => {
    if (conflicts === 1) stopping.abort(new Error('canceled'));
    return null;
  };
  await expect(lines.repeat({ ...WORKSPACE, signal: stopping.signal }, conflicting)).rejects.toThrow(
    'canceled',
  );
}, 5_000);
