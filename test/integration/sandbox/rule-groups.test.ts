import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stateKey } from '../../../src/redis/keys.ts';
import { CHATS } from '../../../workers/sandbox/model/chats/keys.ts';
import { USERS } from '../../../workers/sandbox/model/people/keys.ts';
import { phoneOf } from '../../../workers/sandbox/model/people/phones.ts';
import { privacyKey } from '../../../workers/sandbox/model/privacy/keys.ts';
import { countReads } from '../../support/sandbox/count-reads.ts';
import { FILLED_FROM } from '../../support/sandbox/large-account.ts';
import { aRandomId, Sandbox, type SandboxAccount } from '../../support/sandbox/sandbox.ts';

const MEMBERS = 90;
const USERS_AT_ONCE = 20;
const GROUPS_EACH = 100;
const FIRST_GROUP = 1_500_000_000;
const BOUND = 1024 * 1024;

// `messages.createChat` looks whether the id of its group is taken.
const NEW_GROUP = 1;

const KEYS = ['privacyKeyChatInvite', 'privacyKeyAddedByPhone', 'privacyKeyForwards'];
const ALL = { _: 'privacyValueAllowAll' };

let sandbox: Sandbox;
let ada: SandboxAccount;
/** Users of the workspace who have no accounts. */
const ids = Array.from({ length: USERS_AT_ONCE }, (_, i) => FILLED_FROM + i);

beforeAll(async () => {
  sandbox = await Sandbox.open();
  ada = await sandbox.anAccount();
  const { contactId } = await sandbox.seeded(ada);
  const contact = JSON.parse((await sandbox.redis.hget(keyOf(USERS), String(contactId))) as string);
  for (const id of ids) {
    const user = { ...contact, id, firstName: `User ${id}`, username: null, phone: phoneOf(id) };
    await sandbox.redis.hset(keyOf(USERS), String(id), JSON.stringify(user));
  }
});
afterAll(() => sandbox.close());

const keyOf = (name: string) => stateKey(ada.workspaceId, name);

/** Makes groups without the account, or with it; returns how long the record of one is. */
async function makeGroups(
  count: number,
  { extra = [], size = MEMBERS }: { extra?: readonly number[]; size?: number } = {},
): Promise<number> {
  const others = Array.from({ length: size - extra.length }, (_, i) => 9_000_000 + i);
  const members = [...others, ...extra].map((userId) => ({ userId, inviterId: 9_000_000, date: 1 }));
  const group = { title: 'Group', creatorId: 9_000_000, date: 1, version: 1, noforwards: false, members };
  const recordOf = (id: number) => JSON.stringify({ ...group, id });
  for (let n = 0; n < count; n += 1)
    await sandbox.redis.hset(keyOf(CHATS), String(FIRST_GROUP + n), recordOf(FIRST_GROUP + n));
  return recordOf(FIRST_GROUP).length;
}

const groupsOf = (nth: number) => Array.from({ length: GROUPS_EACH }, (_, n) => FIRST_GROUP + 100 * nth + n);

/** Gives a user rules for all that rules hold for. */
async function ruled(userId: number, ...rules: object[]): Promise<void> {
  const text = JSON.stringify(rules);
  await sandbox.redis.hset(keyOf(privacyKey(userId)), Object.fromEntries(KEYS.map((key) => [key, text])));
}

const disallow = (chats: number[]) => ({ _: 'privacyValueDisallowChatParticipants', chats });
const allow = (chats: number[]) => ({ _: 'privacyValueAllowChatParticipants', chats });

/** Those who let the account add them to a group. */
async function addable(): Promise<number[]> {
  const users = ids.map((userId) => ({ _: 'inputUser', userId, accessHash: '0' }));
  const { missingInvitees } = await sandbox.call(ada, 'messages.createChat', { title: 'Group', users });
  const missing = missingInvitees.map(({ userId }: { userId: number }) => userId);
  return ids.filter((id) => !missing.includes(id));
}

const groupsRead = (fields: Map<string, number>) => fields.get(keyOf(CHATS)) ?? 0;

describe('groups that privacy rules name', () => {
  beforeEach(() => Promise.all(ids.map((id) => ruled(id, ALL))));

  it('are read once, however many users name them', async () => {
    const length = await makeGroups(GROUPS_EACH);
    for (const id of ids) await ruled(id, disallow(groupsOf(0)), ALL);
    let added: number[] = [];
    const reads = await countReads(sandbox, 'messages.createChat', async () => {
      added = await addable();
    });
    expect(added).toEqual(ids);
    expect(groupsRead(reads.fields)).toBe(GROUPS_EACH + NEW_GROUP);
    expect(reads.characters).toBeGreaterThanOrEqual(GROUPS_EACH * length);
    expect(reads.characters).toBeLessThan(2 * GROUPS_EACH * length);
  });

  it('hold as before where the account is in one of them', async () => {
    await makeGroups(2 * GROUPS_EACH);
    await makeGroups(GROUPS_EACH, { extra: [ada.userId] });
    const [one, two, three, four] = ids as [number, number, number, number];
    await ruled(one, disallow(groupsOf(0)), ALL);
    await ruled(two, disallow(groupsOf(1)), ALL);
    await ruled(three, allow(groupsOf(0)));
    await ruled(four, allow(groupsOf(1)));
    const added = await addable();
    expect([one, two, three, four].map((id) => added.includes(id))).toEqual([false, true, true, false]);
  });

  it('count against the account beyond what one call reads of them', async () => {
    const length = await makeGroups(ids.length * GROUPS_EACH);
    const read = Math.ceil(BOUND / (GROUPS_EACH * length));
    const [last, butOne] = [ids.at(-1) as number, ids.at(-2) as number];
    for (const [n, id] of ids.entries()) await ruled(id, disallow(groupsOf(n)), ALL);
    // Who names the account, and whom its groups do not concern.
    await ruled(butOne, { _: 'privacyValueAllowUsers', users: [ada.userId] }, disallow(groupsOf(18)));
    await ruled(last, allow(groupsOf(19)), ALL);
    const expected = [...ids.slice(0, read), butOne, last];

    let added: number[] = [];
    const adding = await countReads(sandbox, 'messages.createChat', async () => {
      added = await addable();
    });
    expect(added).toEqual(expected);

    const contacts = ids.map((id, n) => ({
      ...{ _: 'inputPhoneContact', clientId: String(n), phone: phoneOf(id) },
      ...{ firstName: 'A', lastName: '' },
    }));
    let imported: { userId: number }[] = [];
    const importing = await countReads(sandbox, 'contacts.importContacts', async () => {
      ({ imported } = await sandbox.call(ada, 'contacts.importContacts', { contacts }));
    });
    expect(imported.map(({ userId }) => userId)).toEqual(expected);
    await sandbox.call(ada, 'contacts.deleteContacts', {
      id: expected.map((userId) => ({ _: 'inputUser', userId, accessHash: '0' })),
    });

    expect(groupsRead(adding.fields)).toBe(read * GROUPS_EACH + NEW_GROUP);
    expect(groupsRead(importing.fields)).toBe(read * GROUPS_EACH);
    for (const { characters } of [adding, importing]) {
      expect(characters).toBeGreaterThan(BOUND);
      expect(characters).toBeLessThan(2 * BOUND);
    }
    // A call that needs only the rules of one of them looks at its groups.
    const asked = async (id: number) => sandbox.call(ada, 'contacts.resolvePhone', { phone: phoneOf(id) });
    expect(await asked(ids[read] as number)).toMatchObject({ peer: { userId: ids[read] } });
  });

  it('are 1,000 at most, however small they are', async () => {
    await makeGroups(ids.length * GROUPS_EACH, { size: 1 });
    for (const [n, id] of ids.entries()) await ruled(id, disallow(groupsOf(n)), ALL);
    let added: number[] = [];
    const reads = await countReads(sandbox, 'messages.createChat', async () => {
      added = await addable();
    });
    expect(added).toEqual(ids.slice(0, 1_000 / GROUPS_EACH));
    expect(groupsRead(reads.fields)).toBe(1_000 + NEW_GROUP);
  });

  it('hide the names of authors beyond it', async () => {
    const length = await makeGroups(ids.length * GROUPS_EACH);
    const read = Math.ceil(BOUND / (GROUPS_EACH * length));
    for (const [n, id] of ids.entries()) await ruled(id, disallow(groupsOf(n)), ALL);
    const self = { _: 'inputPeerSelf' };
    for (const id of ids) await sandbox.send(ada, self, `by ${id}`);
    const sent = (await sandbox.history(ada, self, { limit: ids.length })).toReversed();
    const box = keyOf(`messages:u${ada.userId}`);
    for (const [n, { id }] of sent.entries()) {
      const stored = JSON.parse((await sandbox.redis.hget(box, String(id))) as string);
      stored.message.fwdFrom = { _: 'messageFwdHeader', date: 1, fromId: { _: 'peerUser', userId: ids[n] } };
      await sandbox.redis.hset(box, String(id), JSON.stringify(stored));
    }
    const params = {
      ...{ fromPeer: self, toPeer: self, id: sent.map(({ id }) => id) },
      randomId: sent.map(() => aRandomId()),
    };
    const { fields } = await countReads(sandbox, 'messages.forwardMessages', () =>
      sandbox.call(ada, 'messages.forwardMessages', params),
    );
    expect(groupsRead(fields)).toBe(read * GROUPS_EACH);
    const shown = (await sandbox.history(ada, self, { limit: ids.length })).toReversed();
    const linked = shown.map(({ fwdFrom }) => fwdFrom.fromId?.userId).filter((id) => id !== undefined);
    expect(linked).toEqual(ids.slice(0, read));
    expect(shown.at(-1).fwdFrom).toMatchObject({ fromName: expect.stringContaining('User') });
  });

  it('are read once when they are named, in however many rules', async () => {
    await makeGroups(GROUPS_EACH, { extra: [ada.userId] });
    const one = { _: 'inputPrivacyValueAllowChatParticipants', chats: groupsOf(0) };
    const params = { key: { _: 'inputPrivacyKeyChatInvite' }, rules: Array(20).fill(one) };
    const { fields } = await countReads(sandbox, 'account.setPrivacy', () =>
      sandbox.call(ada, 'account.setPrivacy', params),
    );
    // Also to show them in the answer and in the update.
    expect(groupsRead(fields)).toBeLessThanOrEqual(4 * GROUPS_EACH);
  });
});
