import { beforeEach, describe, expect, it } from 'vitest';
import { readBytesUsed, setByteBudget } from '../../../src/bytes/byte-budget.ts';
import { bytesKey, headsKey, ledgerKey, stateKey } from '../../../src/redis/keys.ts';
import { type CommitOutcome, commit, type ResultKind } from '../../../src/state/commit.ts';
import { Transaction } from '../../../src/state/transaction.ts';
import { anEntry, redis, useRedis, ws } from '../../support/redis/commits.ts';

useRedis();

// What each takes beside its text.
const [FIELD, MEMBER, ENTRY, KEY] = [64, 64, 48, 128];
// From this size on a value is counted exactly.
const LARGE = 512;

type Write = (tx: Transaction) => void;

beforeEach(async () => {
  await redis.flushall();
});

function change(write: Write, of: ResultKind = 'result'): Promise<CommitOutcome> {
  const tx = new Transaction(redis, ws);
  write(tx);
  return commit(redis, anEntry(), tx, { result: '{}', of }, '');
}

const used = async () => (await readBytesUsed(redis, [ws]))[0] as number;

/** By how much writes change what is used, those of each list in one turn. */
async function growth(...turns: Write[][]): Promise<number[]> {
  const found: number[] = [];
  for (const turn of turns) {
    const before = await used();
    await Promise.all(turn.map((write) => change(write)));
    found.push((await used()) - before);
  }
  return found;
}

const text = (size: number) => 'x'.repeat(size);

describe('a write counts', () => {
  // Enough for anything to be taken off.
  beforeEach(() => redis.hset(headsKey(''), `${ws}:used`, 1_000_000));

  it('a field with its name and value where it is new, and nothing for a small value in place of another', async () => {
    expect(
      await growth(
        [(tx) => tx.hset('h', 'name', 'value')],
        [(tx) => tx.hset('h', 'name', text(LARGE - 1))],
        [(tx) => tx.hdel('h', 'name')],
        [(tx) => tx.hdel('h', 'name')],
      ),
    ).toEqual([4 + 5 + FIELD, 0, -(4 + LARGE - 1 + FIELD), 0]);
  });

  it('a large value exactly, also in place of another', async () => {
    expect(
      await growth(
        [(tx) => tx.hset('h', 'name', text(LARGE))],
        [(tx) => tx.hset('h', 'name', text(2 * LARGE))],
        [(tx) => tx.hset('h', 'name', text(LARGE + 1))],
        [(tx) => tx.hdel('h', 'name')],
      ),
    ).toEqual([4 + LARGE + FIELD, LARGE, 1 - LARGE, -(4 + LARGE + 1 + FIELD)]);
  });

  it('a member of a sorted set or a set where it is new, until it is removed', async () => {
    expect(
      await growth(
        [(tx) => tx.zadd('z', 1, 'member')],
        [(tx) => tx.zadd('z', 2, 'member')],
        [(tx) => tx.zrem('z', 'member')],
        [(tx) => tx.zrem('z', 'member')],
        [(tx) => tx.sadd('s', 'member')],
        [(tx) => tx.sadd('s', 'member')],
        [(tx) => tx.srem('s', 'member')],
        [(tx) => tx.srem('s', 'member')],
      ),
    ).toEqual([6 + MEMBER, 0, -6 - MEMBER, 0, 6 + MEMBER, 0, -6 - MEMBER, 0]);
  });

  it('each number of a run that is new', async () => {
    // Of two digits each; a number stands there twice, as member and score.
    expect(await growth([(tx) => tx.zaddRun('z', 20, 10)], [(tx) => tx.zaddRun('z', 25, 10)])).toEqual([
      10 * (MEMBER + 2),
      5 * (MEMBER + 2),
    ]);
  });

  it('what a sorted set loses beyond its highest members, 100 at a time', async () => {
    await change((tx) => {
      for (let n = 101; n < 250; n += 1) tx.zadd('z', n, `${n}`);
    });
    const keep: Write = (tx) => tx.zkeep('z', 10, 60_000);
    expect(await growth([keep], [keep], [keep])).toEqual([-100 * (MEMBER + 3), -39 * (MEMBER + 3), 0]);
  });

  it('a counter where it is new, and a key that is deleted by what it took', async () => {
    const [first, again] = await growth([(tx) => tx.hincrby('h', 'n', 5)], [(tx) => tx.hincrby('h', 'n', 5)]);
    expect([first, again]).toEqual([FIELD + 2, 0]);
    await change((tx) => tx.hset('h', 'large', text(10_000)));
    const takes = Number(await redis.memory('USAGE', stateKey(ws, 'h')));
    const before = await used();
    await change((tx) => tx.del('h', 'h'));
    expect(await used()).toBe(before - takes);
    expect(
      await growth(
        [(tx) => tx.del('h', 'h')],
        [(tx) => tx.expire('h', 'h', 1_000)],
        [(tx) => tx.persist('h', 'h')],
      ),
    ).toEqual([0, 0, 0]);
  });

  it('an update with its kind, account and JSON', async () => {
    const event = '{"_":"call.succeeded"}';
    const [grown] = await growth([(tx) => tx.event('call.succeeded', 'acc_1', event)]);
    expect(grown).toBe('call.succeeded'.length + 'acc_1'.length + event.length + ENTRY);
  });

  it('the same for several calls of a turn that write to one key', async () => {
    const writes = (n: number): Write[] => [
      (tx) => tx.hset('h', `small${n}`, 'value'),
      (tx) => tx.hset('h', `large${n}`, text(LARGE)),
      (tx) => tx.zadd('z', n, `member${n}`),
      (tx) => tx.hincrby('h', `count${n}`, 7),
    ];
    const [hash, set] = await growth(
      [...[1, 2, 3].map((n) => writes(n)[0] as Write), ...[1, 2].map((n) => writes(n)[1] as Write)],
      [1, 2, 3].map((n) => writes(n)[2] as Write),
    );
    expect(hash).toBe(3 * (6 + 5 + FIELD) + 2 * (6 + LARGE + FIELD));
    // Score and member of about the same size count as one of them twice.
    expect(set).toBe(3 * (MEMBER + Math.floor((2 * 3 * 7) / 6)));
    // Nothing of it is new.
    expect(await growth([1, 2, 3].map((n) => writes(n)[0] as Write))).toEqual([0]);
    expect(await growth([1, 2, 3].map((n) => writes(n)[2] as Write))).toEqual([0]);
  });

  it('what it has written, also if a later write of its commit fails', async () => {
    await change((tx) => tx.zadd('z', 1, 'member'));
    // Commits of this process no longer check the type of the key.
    await redis.set(stateKey(ws, 'z'), 'no sorted set');
    const before = await used();
    const failing = change((tx) => {
      tx.hset('h', 'name', 'value');
      tx.zadd('z', 2, 'other');
    });
    await expect(failing).rejects.toThrow(/WRONGTYPE/);
    expect((await used()) - before).toBe(4 + 5 + FIELD);
  });

  it('for its own workspace, and never below nothing', async () => {
    const other = 'ws_of_another';
    const tx = new Transaction(redis, other);
    tx.hset('h', 'name', 'value');
    await Promise.all([
      change((one) => one.hset('h', 'name', text(100))),
      commit(redis, anEntry({ workspaceId: other }), tx, { result: '{}' }, ''),
    ]);
    expect(await readBytesUsed(redis, [ws, other])).toEqual([1_000_000 + 4 + 100 + FIELD, 4 + 5 + FIELD]);
    await redis.hset(headsKey(''), `${ws}:used`, 10);
    await change((one) => one.hdel('h', 'name'));
    expect(await readBytesUsed(redis, [ws, other])).toEqual([0, 4 + 5 + FIELD]);
  });
});

describe('a reply that is kept', () => {
  const LEDGER = ledgerKey(ws, 'key-1');
  const CLAIM = 'pending:call_1@boot hash';

  /** Commits a result of so many characters, quotes included; what is then recorded, and what counts for that. */
  async function keep(
    size: number,
    { of = 'result' as ResultKind, claim = '', expiresIn = 30_000, change: changes = true } = {},
  ) {
    await redis.flushall();
    if (claim !== '') await redis.hset(LEDGER, 'reply', claim);
    const ledgerExpiresAt = Date.now() + expiresIn;
    const entry = anEntry({
      ledger: LEDGER,
      claim,
      ledgerExpiresAt,
      ...(claim === '' ? {} : { field: 'reply' }),
    });
    const tx = new Transaction(redis, ws);
    if (changes) tx.hset('h', 'a', 'b');
    const outcome = await commit(redis, entry, tx, { result: `"${text(size - 2)}"`, of }, '7');
    if (outcome.kind !== 'committed') throw new Error(outcome.kind);
    const recorded = await redis.hget(LEDGER, entry.field);
    return { frame: outcome.frame, recorded, parts: await redis.hgetall(bytesKey(ws)), entry };
  }

  /** What the frame has beside the result, where no update was made. */
  const AROUND = async () => (await keep(2)).frame.length - 2;

  it('counts until it lapses, by the minute or by the hour, from a KiB on', async () => {
    const around = await AROUND();
    const small = await keep(2 * LARGE - around);
    expect([small.frame.length, small.parts]).toEqual([2 * LARGE, {}]);
    const { parts, recorded, entry } = await keep(2 * LARGE - around + 1);
    const lapse = (step: number, at: number) => String(Math.ceil(at / step) * step);
    expect(parts).toEqual({
      [lapse(60_000, entry.ledgerExpiresAt)]: String((recorded as string).length + KEY),
    });
    expect(await used()).toBe(1 + 1 + FIELD + (recorded as string).length + KEY);
    const late = await keep(2_000, { expiresIn: 2 * 3_600_000 });
    expect(Object.keys(late.parts)).toEqual([lapse(3_600_000, late.entry.ledgerExpiresAt)]);
  });

  it('of a key counts however small it is', async () => {
    const { parts, recorded } = await keep(2, { claim: CLAIM });
    expect(recorded).toMatch(/^done:hash\n200 -\n/);
    expect(Object.values(parts)).toEqual([String((recorded as string).length + KEY)]);
  });

  it.each(['kept', 'end'] as const)('of an async call (%s) counts among the calls', async (of) => {
    const { parts, recorded } = await keep(100, { of });
    expect(parts).toEqual({ calls: String((recorded as string).length + KEY) });
  });

  it('of a read is kept up to 4 KiB, unless it has changed something', async () => {
    const around = (await keep(2, { of: 'read', change: false })).frame.length - 2;
    const most = await keep(4_096 - around, { of: 'read', change: false });
    expect([most.frame.length, most.recorded]).toEqual([4_096, most.frame]);
    const more = await keep(4_097 - around, { of: 'read', change: false });
    expect([more.frame.length, more.recorded]).toEqual([4_097, null]);
    const keyed = await keep(4_097 - around, { of: 'read', change: false, claim: CLAIM });
    expect(keyed.recorded).toBe('done:hash\n');
    const changed = await keep(5_000, { of: 'read' });
    expect(changed.recorded).toBe(changed.frame);
  });

  it('of a key is kept up to 64 KiB, any other whole', async () => {
    const around = await AROUND();
    const most = await keep(65_536 - around, { claim: CLAIM });
    expect([most.frame.length, most.recorded]).toEqual([65_536, `done:hash\n${most.frame}`]);
    const more = await keep(65_537 - around, { claim: CLAIM });
    expect(more.recorded).toMatch(/^done:hash\n410 -\n\{.*"reply_not_kept".*,"txid":\d+\}$/);
    expect(more.frame.length).toBe(65_537);
    const unkeyed = await keep(65_537 - around);
    expect(unkeyed.recorded).toBe(unkeyed.frame);
  });
});

describe('in a workspace that is full', () => {
  const passes = async (write: Write) =>
    change(write).then(
      ({ kind }) => kind === 'committed',
      () => false,
    );

  beforeEach(async () => {
    await change((tx) => {
      tx.hset('h', 'a', text(100));
      tx.zadd('z', 1, 'a'.repeat(100));
      tx.sadd('s', 'a'.repeat(100));
      tx.hset('other', 'a', text(1_000));
    });
    await setByteBudget(redis, ws, 10);
  });

  const name = 'a'.repeat(100);
  it.each<[string, boolean, Write]>([
    ['a value as long as the one before', true, (tx) => tx.hset('h', 'a', text(100))],
    ['a longer value', false, (tx) => tx.hset('h', 'a', text(101))],
    ['a new field', false, (tx) => tx.hset('h', 'b', '')],
    ['the score of a member', true, (tx) => tx.zadd('z', 2, name)],
    ['a new member', false, (tx) => tx.zadd('z', 2, 'b')],
    ['a member of a set once more', true, (tx) => tx.sadd('s', name)],
    ['a new member of a set', false, (tx) => tx.sadd('s', 'b')],
    ['a run of numbers', false, (tx) => tx.zaddRun('z', 10, 1)],
    ['an update', false, (tx) => tx.event('call.succeeded', 'acc_1', '{}')],
    ['a new key', false, (tx) => tx.hset('new', 'a', '')],
    ['an expiry', true, (tx) => tx.expire('h', 'h', 60_000)],
    ['a removal of what is not there', true, (tx) => tx.hdel('h', 'none')],
  ])('%s passes: %s', async (_, isPassed, write) => {
    expect(await passes(write)).toBe(isPassed);
  });

  it.each<[string, Write]>([
    ['a field', (tx) => tx.hdel('h', 'a')],
    ['a member of a sorted set', (tx) => tx.zrem('z', name)],
    ['a member of a set', (tx) => tx.srem('s', name)],
    ['a key', (tx) => tx.del('other', 'h')],
  ])('what takes %s away may add less than a MiB more', async (_, remove) => {
    const adding = (field: string, size: number) => (tx: Transaction) => {
      remove(tx);
      tx.hset('things', field, text(size));
    };
    expect(await passes(adding('a', 2 ** 20 - 20_000))).toBe(true);
    // Now there is nothing to take away.
    expect(await passes(adding('b', 10))).toBe(false);
  });

  it('the reserve is a MiB and a sixteenth of the budget, and no more', async () => {
    await setByteBudget(redis, ws, 1_500);
    const missing = 1_500 * 1.0625 + 2 ** 20 - (await used());
    // The key and the field are new; a field of 164 bytes goes.
    const rest = missing - (stateKey(ws, 'things').length + KEY) - (1 + FIELD) + (1 + 100 + FIELD);
    const adding = (size: number) => (tx: Transaction) => {
      tx.hdel('h', 'a');
      tx.hset('things', 'a', text(size));
    };
    expect(await used()).toBeGreaterThan(1_500);
    expect(rest).toBeLessThan(2 ** 20);
    expect(await passes(adding(Math.ceil(rest)))).toBe(false);
    expect(await passes(adding(Math.ceil(rest) - 1))).toBe(true);
  });
});
