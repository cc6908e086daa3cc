import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RedisConnection } from '../../../src/redis/connections.ts';
import { stateKey } from '../../../src/redis/keys.ts';
import { Transaction } from '../../../src/state/transaction.ts';
import type { Method } from '../../../workers/driver.ts';
import { contactsKey, USERS } from '../../../workers/sandbox/model/people/keys.ts';
import { privacyKey } from '../../../workers/sandbox/model/privacy/keys.ts';
import { readingSlices } from '../../../workers/turns/slices.ts';
import { callContext } from '../../support/sandbox/call-context.ts';
import {
  aRandomId,
  channelOf,
  peerOf,
  Sandbox,
  type SandboxAccount,
  userOf,
  WHOLE,
} from '../../support/sandbox/sandbox.ts';

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

/** Runs a method without its commit; counts how often it waits for Redis, and notes what it asks for. */
async function run(account: SandboxAccount, name: string, params: object) {
  let waits = 0;
  const asked: unknown[][] = [];
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
        asked.push(args);
        return member.apply(target, args);
      };
    },
  }) as RedisConnection;
  const tx = new Transaction(reader, account.workspaceId);
  const call = callContext(account, tx, params);
  const method = sandbox.driver.methods.get(name) as Method;
  const result = await method.run(params as never, call);
  return { waits, tx, asked, result };
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

it('of the most contacts reads each once, and lets others run in between', async () => {
  const ada = await sandbox.anAccount();
  const { contactId } = await sandbox.seeded(ada);
  const [contacts, users] = [contactsKey(ada.userId), USERS].map((name) => stateKey(ada.workspaceId, name));
  const [contact, user] = await Promise.all(
    [contacts, users].map((key) => sandbox.redis.hget(key as string, String(contactId))),
  );
  const added = Array.from({ length: 3_000 }, (_, i) => 1_000_000 + i);
  await sandbox.redis.hset(contacts as string, Object.fromEntries(added.map((id) => [id, contact])));
  await sandbox.redis.hset(
    users as string,
    Object.fromEntries(added.map((id) => [id, (user as string).replace(`${contactId}`, `${id}`)])),
  );
  const turns = vi.spyOn(readingSlices, 'next');
  const { asked, result, tx } = await run(ada, 'contacts.getContacts', { hash: '0' });
  expect(turns.mock.calls.length).toBeGreaterThanOrEqual(15);
  turns.mockRestore();
  expect(asked.filter(([key]) => key === contacts)).toHaveLength(1);
  expect(Math.max(...asked.map((args) => args.length))).toBeLessThanOrEqual(201);
  expect(tx.charactersRead).toBeGreaterThan(3_000 * (contact as string).length);
  const shown = result as { contacts: { userId: number }[]; users: { id: number; contact?: boolean }[] };
  const ids = [contactId, ...added];
  expect(shown.contacts.map(({ userId }) => userId)).toEqual(ids.toSorted((a, b) => a - b));
  expect(shown.users.filter((one) => one.contact).map(({ id }) => id)).toEqual(
    shown.contacts.map(({ userId }) => userId),
  );
});

it('of what shows very many users lets others run in between', async () => {
  const ada = await sandbox.anAccount();
  const { contactId } = await sandbox.seeded(ada);
  const users = Array.from({ length: 1_000 }, (_, i) => 1_000_000 + i);
  const [records, rules] = [USERS, privacyKey(ada.userId)].map((name) => stateKey(ada.workspaceId, name));
  const contact = (await sandbox.redis.hget(records as string, String(contactId))) as string;
  await sandbox.redis.hset(
    records as string,
    Object.fromEntries(users.map((id) => [id, contact.replace(`${contactId}`, `${id}`)])),
  );
  const rule = JSON.stringify([{ _: 'privacyValueAllowUsers', users }]);
  await sandbox.redis.hset(rules as string, 'privacyKeyChatInvite', rule);
  const turns = vi.spyOn(readingSlices, 'next');
  const { asked, result } = await run(ada, 'account.getPrivacy', {
    key: { _: 'inputPrivacyKeyChatInvite' },
  });
  expect(turns.mock.calls.length).toBeGreaterThanOrEqual(4);
  turns.mockRestore();
  expect(Math.max(...asked.map((args) => args.length))).toBeLessThanOrEqual(201);
  expect((result as { users: { id: number }[] }).users.map(({ id }) => id)).toEqual(users);
});

it('of what shows users counts the notes about them that it reads', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const link = {
    _: 'messageEntityTextUrl',
    offset: 0,
    length: 1,
    url: 'https://example.com/'.padEnd(1_300, 'x'),
  };
  const note = { _: 'textWithEntities', text: 'x', entities: [link] };
  const person = { id: userOf(bob), firstName: 'Bob', lastName: '', phone: '' };
  await sandbox.call(ada, 'contacts.addContact', { ...person, note });
  const { tx } = await run(ada, 'users.getUsers', { id: [userOf(bob)] });
  expect(tx.charactersRead).toBeGreaterThan(1_300);
});

it('of drafts counts what it reads', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const message = 'word '.repeat(800).trim();
  await sandbox.call(ada, 'messages.saveDraft', { peer: peerOf(bob), message });
  const { tx } = await run(ada, 'messages.getAllDrafts', {});
  expect(tx.charactersRead).toBeGreaterThan(message.length);
});

it('of lists of polls and of themes counts what it reads', async () => {
  const ada = await sandbox.anAccount();
  const title = 'x'.repeat(128);
  for (let made = 0; made < 3; made += 1) await sandbox.call(ada, 'account.createTheme', { slug: '', title });
  const themes = await run(ada, 'account.getThemes', { format: 'android', hash: '0' });
  expect(themes.tx.charactersRead).toBeGreaterThan(3 * 500);
  const { forumId } = await sandbox.seeded(ada);
  const asked = { peer: channelOf(forumId), msgId: 1, pollHash: '0' };
  expect((await run(ada, 'messages.getPollResults', asked)).tx.charactersRead).toBeGreaterThan(1_000);
});

it('of gifts and of who is in a call counts what it reads, also if it shows none', async () => {
  const ada = await sandbox.anAccount();
  const none = { excludeSaved: true, excludeUnsaved: true };
  const gifts = { peer: { _: 'inputPeerSelf' }, offset: '', limit: 20, ...none };
  expect((await run(ada, 'payments.getSavedStarGifts', gifts)).tx.charactersRead).toBeGreaterThan(3 * 200);
  const { runningCallId } = await sandbox.seeded(ada);
  const asked = { call: { _: 'inputGroupCall', id: runningCallId, accessHash: '0' }, limit: 20 };
  expect((await run(ada, 'phone.getGroupCall', asked)).tx.charactersRead).toBeGreaterThan(100);
});
