import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aRandomId,
  channelOf,
  peerOf,
  Sandbox,
  type SandboxAccount,
  userOf,
} from '../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

const SELF = { _: 'inputPeerSelf' };

function accounts(workspaceId: string, count: number): Promise<SandboxAccount[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => sandbox.anAccount(`${i}`, { workspaceId })));
}

describe('what is too large for one commit', () => {
  it('is refused with an error of the messenger, and the largest that fits is sent', async () => {
    const ada = await sandbox.anAccount();
    const members = await accounts(ada.workspaceId, 89);
    const group = await sandbox.aGroup(ada, ...members);
    const many = members
      .slice(0, 50)
      .map(({ username }) => `@${username}`)
      .join(' ');
    const { updates } = await sandbox.watch(ada, () => sandbox.send(ada, group, many));
    expect(updates).toHaveLength(90);
    expect(updates.filter(({ update }) => update.message.mentioned)).toHaveLength(50);
    await sandbox.send(ada, group, 'x'.repeat(4_096));
    const long = { peer: group, message: '\u{1f600}'.repeat(2_048), randomId: aRandomId() };
    const entities = Array.from({ length: 100 }, (_, i) => ({
      _: 'messageEntityTextUrl',
      offset: i,
      length: 1,
      url: `https://example.com/${i}`,
    }));
    expect(await sandbox.refusal(ada, 'messages.sendMessage', { ...long, entities })).toBe(
      'MESSAGE_TOO_LONG',
    );
    const [late] = await accounts(ada.workspaceId, 1);
    expect(
      await sandbox.refusal(ada, 'messages.createChat', {
        title: 'Too many',
        users: [...members, late].map((user) => userOf(user as SandboxAccount)),
      }),
    ).toMatch(/^(USERS_TOO_MUCH|CHAT_MEMBER_ADD_FAILED)$/);
  });

  it('is deleted message by message for all members of the largest group', async () => {
    const ada = await sandbox.anAccount();
    const members = await accounts(ada.workspaceId, 89);
    const group = await sandbox.aGroup(ada, ...members);
    const last = members[88] as SandboxAccount;
    const texts = async (account: SandboxAccount) =>
      (await sandbox.history(account, group)).map(({ message }) => message).filter(Boolean);
    for (const message of ['one', 'two', 'three']) await sandbox.send(ada, group, message);
    const { id } = await sandbox.newest(ada, group);
    const deleted = await sandbox.call(ada, 'messages.deleteMessages', { id: [id], revoke: true });
    expect(deleted.ptsCount).toBe(1);
    expect(await texts(last)).toEqual(['two', 'one']);
    const left: number[] = [];
    do {
      const params = { peer: group, maxId: 0, revoke: true };
      left.push((await sandbox.call(ada, 'messages.deleteHistory', params)).offset);
    } while (left.at(-1) !== 0 && left.length < 10);
    expect(left).toEqual([2, 1, 0]);
    expect([await texts(ada), await texts(last)]).toEqual([[], []]);
  });

  it('is done in part where there are many ids', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const ids = Array.from({ length: 10_000 }, (_, i) => i + 1);
    await sandbox.sendFile(bob, peerOf(ada), 'voice');
    const read = await sandbox.call(ada, 'messages.readMessageContents', { id: ids });
    // Also that of the contact.
    expect(read.ptsCount).toBe(2);
    const { messages } = await sandbox.call(ada, 'messages.getMessages', {
      id: ids.map((id) => ({ _: 'inputMessageID', id })),
    });
    expect(messages).toHaveLength(100);
    const users = await sandbox.call(ada, 'users.getUsers', {
      id: Array(10_000).fill({ _: 'inputUserSelf' }),
    });
    expect(users.items.length).toBeGreaterThan(0);
  });

  it('is never asked of a channel, whose posts everybody in it hears of', async () => {
    const ada = await sandbox.anAccount();
    const { forumId } = await sandbox.seeded(ada);
    const members = await accounts(ada.workspaceId, 100);
    for (const member of members) await sandbox.letIn(member, forumId);
    const everybody = members.map(({ username }) => `@${username}`).join(' ');
    const { updates } = await sandbox.watch(ada, () => sandbox.send(ada, channelOf(forumId), everybody));
    expect(updates).toHaveLength(101);
    expect(updates.filter(({ update }) => update.message.mentioned)).toHaveLength(20);
  });
});

describe('the windows of lists', () => {
  it('take any number for what it is', async () => {
    const ada = await sandbox.anAccount();
    const extremes = [-(2 ** 31), -1, 0, 1, 2 ** 31 - 1];
    for (const offsetId of extremes) {
      for (const addOffset of extremes) {
        const found = await sandbox.history(ada, SELF, { offsetId, addOffset, limit: 2 ** 31 - 1 });
        expect(found.length).toBeLessThanOrEqual(100);
      }
    }
  });
});
