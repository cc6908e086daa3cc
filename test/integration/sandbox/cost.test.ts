import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RedisConnection } from '../../../src/redis/connections.ts';
import { Transaction } from '../../../src/state/transaction.ts';
import type { CallContext, Method } from '../../../workers/driver.ts';
import { aRandomId, peerOf, Sandbox, type SandboxAccount, WHOLE } from '../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

/** How often a method waits for Redis before its commit, and how much it writes. */
async function costOf(account: SandboxAccount, name: string, params: object) {
  const { waits, tx } = await run(account, name, params);
  return { waits, writes: 500 - tx.writesLeft };
}

/** Runs a method without its commit; counts how often it waits for Redis. */
async function run(account: SandboxAccount, name: string, params: object) {
  let waits = 0;
  let isAsking = false;
  // What is asked for in one turn of the event loop goes to Redis together.
  const ask = () => {
    if (isAsking) return;
    isAsking = true;
    waits += 1;
    setImmediate(() => {
      isAsking = false;
    });
  };
  const reader = new Proxy(sandbox.redis, {
    get(target, property) {
      const member = Reflect.get(target, property);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        ask();
        return member.apply(target, args);
      };
    },
  }) as RedisConnection;
  const tx = new Transaction(reader, account.workspaceId);
  const call: CallContext = {
    id: aRandomId(),
    workspaceId: account.workspaceId,
    account,
    tx,
    date: Math.floor(Date.now() / 1_000),
    signal: new AbortController().signal,
    mayWait: true,
    drawsRandomIds: !('randomId' in params),
  };
  const method = sandbox.driver.methods.get(name) as Method;
  await method.run(params as never, call);
  return { waits, tx };
}

describe('the hot path', () => {
  it('of a private text waits for Redis once', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const params = { peer: peerOf(bob), message: 'Hello' };
    expect(await costOf(ada, 'messages.sendMessage', params)).toEqual({ waits: 1, writes: 7 });
  });

  it('of a private text with a random id of its own remembers that', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const first = { peer: peerOf(bob), message: 'Hello', randomId: aRandomId() };
    // The first of a day also lets the day's ids go some time.
    expect(await costOf(ada, 'messages.sendMessage', first)).toEqual({ waits: 1, writes: 10 });
    await sandbox.call(ada, 'messages.sendMessage', first);
    const second = { ...first, randomId: aRandomId() };
    expect(await costOf(ada, 'messages.sendMessage', second)).toEqual({ waits: 1, writes: 8 });
  });

  it('of reading nothing new waits for Redis once and writes nothing', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    await sandbox.send(bob, peerOf(ada), 'Hello');
    const { id } = await sandbox.newest(ada, peerOf(bob));
    expect(await costOf(ada, 'messages.readMessageContents', { id: [id] })).toEqual({ waits: 1, writes: 0 });
  });

  it('of hearing a voice message changes both copies, and keeps for both sides that it was heard', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    await sandbox.sendFile(bob, peerOf(ada), 'voice');
    const { id } = await sandbox.newest(ada, peerOf(bob));
    expect(await costOf(ada, 'messages.readMessageContents', { id: [id] })).toEqual({ waits: 2, writes: 6 });
  });

  it('of a page of history', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    await sandbox.send(bob, peerOf(ada), 'Hello');
    expect(await costOf(ada, 'messages.getHistory', { peer: peerOf(bob), ...WHOLE })).toEqual({
      waits: 4,
      writes: 0,
    });
  });
});

it('of a search counts what it reads, also if it finds nothing', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  for (let sent = 0; sent < 3; sent += 1)
    await sandbox.call(ada, 'messages.sendMessage', {
      peer: peerOf(bob),
      message: 'word '.repeat(800).trim(),
    });
  const query = {
    ...{ peer: peerOf(bob), q: 'nothing', filter: { _: 'inputMessagesFilterEmpty' }, minDate: 0, maxDate: 0 },
    ...{ offsetId: 0, addOffset: 0, limit: 1, maxId: 0, minId: 0, hash: '0' },
  };
  const { tx } = await run(ada, 'messages.search', query);
  expect(tx.charactersRead).toBeGreaterThan(3 * 3_999);
});
