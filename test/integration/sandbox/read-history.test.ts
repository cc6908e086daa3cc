import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../support/random.ts';
import { aChannel } from '../../support/sandbox/a-channel.ts';
import { aRandomId, channelOf, peerOf, Sandbox, type SandboxAccount } from '../../support/sandbox/sandbox.ts';

const SEED = Number(process.env.SEED ?? 20_261_122);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

/** What one account has of a conversation: the ids in it and those of others, oldest first. */
interface Side {
  account: SandboxAccount;
  peer: object;
  others: Set<number>;
  ids: number[];
  /** Those that are no service messages, which can be neither forwarded nor taken out of a channel. */
  texts: number[];
  read: number;
}

interface Conversation {
  sides: [Side, Side];
  read(side: Side, maxId: number): Promise<unknown>;
  remove(side: Side, id: number): Promise<unknown>;
  /** The update that tells an account how much it has not read. */
  told: string;
}

function aSide(account: SandboxAccount, peer: object): Side {
  return { account, peer, others: new Set(), ids: [], texts: [], read: 0 };
}

async function aPrivateChat(): Promise<Conversation> {
  const [ada, bob] = await sandbox.twoAccounts();
  return ofCopies(aSide(ada, peerOf(bob)), aSide(bob, peerOf(ada)));
}

async function aBasicGroup(): Promise<Conversation> {
  const [ada, bob] = await sandbox.twoAccounts();
  const group = await sandbox.aGroup(ada, bob);
  const conversation = ofCopies(aSide(ada, group), aSide(bob, group));
  await takeIn(conversation);
  await readAll(conversation);
  return conversation;
}

function ofCopies(...sides: [Side, Side]): Conversation {
  return {
    sides,
    told: 'updateReadHistoryInbox',
    read: ({ account, peer }, maxId) => sandbox.call(account, 'messages.readHistory', { peer, maxId }),
    remove: ({ account }, id) => sandbox.call(account, 'messages.deleteMessages', { id: [id], revoke: true }),
  };
}

async function aSupergroup(): Promise<Conversation> {
  const [ada, bob] = await sandbox.twoAccounts();
  const { forumId } = await sandbox.seeded(ada);
  await sandbox.letIn(bob, forumId);
  const channel = { _: 'inputChannel', channelId: forumId, accessHash: '0' };
  const conversation: Conversation = {
    sides: [aSide(ada, channelOf(forumId)), aSide(bob, channelOf(forumId))],
    told: 'updateReadChannelInbox',
    read: ({ account }, maxId) => sandbox.call(account, 'channels.readHistory', { channel, maxId }),
    remove: ({ account }, id) => sandbox.call(account, 'channels.deleteMessages', { channel, id: [id] }),
  };
  await takeIn(conversation);
  await readAll(conversation);
  return conversation;
}

// Looks at what lies there, so that the test counts by itself.
async function takeIn({ sides }: Conversation): Promise<void> {
  for (const side of sides) {
    const messages = await sandbox.history(side.account, side.peer);
    side.ids = messages.map(({ id }) => id).reverse();
    const texts = messages.filter(({ _, media }) => _ === 'message' && !media);
    side.texts = texts.map(({ id }) => id).reverse();
    side.others = new Set(messages.filter(({ out }) => !out).map(({ id }) => id));
  }
}

async function readAll({ sides, read }: Conversation): Promise<void> {
  for (const side of sides) {
    await read(side, 0);
    side.read = side.ids.at(-1) ?? 0;
  }
}

function unreadOf({ others, read }: Side): number {
  return [...others].filter((id) => id > read).length;
}

/** What getDialogs says that an account has not read. */
async function shownUnread(account: SandboxAccount, peer: Side['peer']): Promise<number> {
  const { dialogs } = await sandbox.call(account, 'messages.getDialogs', {
    offsetDate: 0,
    offsetId: 0,
    offsetPeer: { _: 'inputPeerEmpty' },
    limit: 100,
    hash: '0',
  });
  const same = (one: Record<string, unknown>, other: Record<string, unknown>) =>
    (['userId', 'chatId', 'channelId'] as const).some((key) => key in one && one[key] === other[key]);
  return dialogs.find((dialog: { peer: Record<string, unknown> }) => same(dialog.peer, peer as never))
    ?.unreadCount;
}

describe('what is left unread', () => {
  it.each([
    ['a private chat', aPrivateChat],
    ['a basic group', aBasicGroup],
    ['a supergroup', aSupergroup],
  ])(
    'of %s is what others have sent behind the mark, in any order of events',
    async (_name, open) => {
      const random = new Random(SEED);
      const conversation = await open();
      for (let step = 0; step < 60; step += 1) {
        const side = random.pick(conversation.sides);
        const what = random.below(10);
        if (what < 6) await sandbox.send(side.account, side.peer, `Message ${step}`);
        else if (what === 6) await forward(side, 1 + random.below(5));
        else if (what === 7) await removeOwn(conversation, side, random);
        else await readSome(conversation, side, random);
        await takeIn(conversation);
        for (const one of conversation.sides)
          expect([step, await shownUnread(one.account, one.peer)]).toEqual([step, unreadOf(one)]);
      }
    },
    60_000,
  );
});

async function forward(side: Side, count: number): Promise<void> {
  const id = side.texts.slice(-count);
  if (id.length === 0) return;
  const randomId = id.map(() => aRandomId());
  await sandbox.call(side.account, 'messages.forwardMessages', {
    fromPeer: side.peer,
    toPeer: side.peer,
    id,
    randomId,
  });
}

async function removeOwn(conversation: Conversation, side: Side, random: Random): Promise<void> {
  const own = side.texts.filter((id) => !side.others.has(id));
  if (own.length > 0) await conversation.remove(side, random.pick(own));
}

async function readSome(conversation: Conversation, side: Side, random: Random): Promise<void> {
  const behind = side.ids.filter((id) => id > side.read);
  if (behind.length === 0) return;
  const maxId = random.pick(behind);
  const { updates } = await sandbox.watch(side.account, () => conversation.read(side, maxId));
  side.read = maxId;
  const told = updates.find(
    ({ kind, accountId }) => accountId === side.account.id && /ReadHistoryInbox|ReadChannelInbox/.test(kind),
  );
  if (told) expect(told.update.stillUnreadCount).toBe(unreadOf(side));
}

it('forwards as many messages as fit a commit to somebody at once, and knows that they are the own ones', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  for (let i = 0; i < 5; i += 1) await sandbox.send(bob, peerOf(ada), `Message ${i}`);
  const texts = await sandbox.history(ada, peerOf(bob));
  const id = Array.from({ length: 99 }, (_, i) => texts[i % texts.length].id);
  await sandbox.call(ada, 'messages.forwardMessages', { fromPeer: peerOf(bob), toPeer: peerOf(bob), id });
  await sandbox.send(bob, peerOf(ada), 'The last but one');
  await sandbox.send(bob, peerOf(ada), 'The last');
  const [, lastButOne, newestForward] = await sandbox.history(ada, peerOf(bob));
  await sandbox.call(ada, 'messages.readHistory', { peer: peerOf(bob), maxId: newestForward.id });
  expect(await shownUnread(ada, { ...peerOf(bob) })).toBe(2);
  await sandbox.call(ada, 'messages.readHistory', { peer: peerOf(bob), maxId: lastButOne.id });
  expect(await shownUnread(ada, { ...peerOf(bob) })).toBe(1);
});

it('tells a sender how far any reader has read, and never less than before', async () => {
  const ada = await sandbox.anAccount('Ada');
  const [bob, cleo] = (await Promise.all(
    ['Bob', 'Cleo'].map((name) => sandbox.anAccount(name, { workspaceId: ada.workspaceId })),
  )) as [SandboxAccount, SandboxAccount];
  const basic = await sandbox.aGroup(ada, bob, cleo);
  const group = await aChannel(sandbox, ada, { megagroup: true }, bob, cleo);
  for (const [peer, read] of [
    [basic, 'messages.readHistory'],
    [group.peer, 'channels.readHistory'],
  ] as const) {
    for (const text of ['one', 'two']) await sandbox.send(ada, peer, text);
    const [newest] = await sandbox.history(ada, peer);
    const seen = async (account: SandboxAccount, maxId: number) => {
      const where = peer === basic ? { peer } : { channel: group.channel };
      const { updates } = await sandbox.watch(ada, () => sandbox.call(account, read, { ...where, maxId }));
      return updates.filter(({ accountId, update }) => accountId === ada.id && /Outbox$/.test(update._));
    };
    const [, before] = await sandbox.history(cleo, peer);
    expect(await seen(bob, 0)).toMatchObject([{ update: { maxId: newest.id } }]);
    expect(await seen(cleo, before.id)).toEqual([]);
    expect(await seen(cleo, 0)).toEqual([]);
    const { dialogs } = await sandbox.call(ada, 'messages.getPeerDialogs', {
      peers: [{ _: 'inputDialogPeer', peer }],
    });
    expect(dialogs[0].readOutboxMaxId).toBe(newest.id);
  }
});

describe('a dialog that an account has marked as unread', () => {
  const mark = (account: SandboxAccount, peer: object) =>
    sandbox.call(account, 'messages.markDialogUnread', {
      peer: { _: 'inputDialogPeer', peer },
      unread: true,
    });
  const isMarked = async (account: SandboxAccount, peer: object) => {
    const peers = [{ _: 'inputDialogPeer', peer }];
    const { dialogs } = await sandbox.call(account, 'messages.getPeerDialogs', { peers });
    return dialogs[0].unreadMark === true;
  };

  it.each([
    ['private chat', aPrivateChat],
    ['basic group', aBasicGroup],
    ['supergroup', aSupergroup],
  ])('is that no longer once it is read: a %s', async (_, open) => {
    const { sides, read, told } = await open();
    const [writer, reader] = sides;
    await sandbox.send(writer.account, writer.peer, 'Hello');
    await mark(reader.account, reader.peer);
    const { updates } = await sandbox.watch(reader.account, () => read(reader, 0));
    // Clients remove the mark by themselves when they hear of this.
    expect(updates.find(({ accountId }) => accountId === reader.account.id)?.update._).toBe(told);
    expect(updates.map(({ update }) => update._)).not.toContain('updateDialogUnreadMark');
    expect(await isMarked(reader.account, reader.peer)).toBe(false);
  });

  it.each([
    ['private chat', aPrivateChat],
    ['supergroup', aSupergroup],
  ])(
    'is that no longer also if there was nothing to read, and its sessions are told: a %s',
    async (_, open) => {
      const { sides, read } = await open();
      const [, side] = sides;
      const { account, peer } = side;
      await read(side, 0);
      await mark(account, peer);
      await read(side, 0);
      const updates = (await sandbox.updatesOf(account)).filter(
        (update) => update._ === 'updateDialogUnreadMark',
      );
      expect(updates).toMatchObject([{ unread: true }, { peer: { _: 'dialogPeer' } }]);
      expect(updates[1].unread).not.toBe(true);
      expect(await isMarked(account, peer)).toBe(false);
      const before = (await sandbox.updatesOf(account)).length;
      await read(side, 0);
      expect(await sandbox.updatesOf(account)).toHaveLength(before);
    },
  );

  it('stays marked when one topic of it is read', async () => {
    const ada = await sandbox.anAccount();
    const { peer } = await aChannel(sandbox, ada, { megagroup: true, forum: true });
    await sandbox.send(ada, peer, 'Hello');
    await mark(ada, peer);
    await sandbox.call(ada, 'messages.readDiscussion', { peer, msgId: 1, readMaxId: 0 });
    expect(await isMarked(ada, peer)).toBe(true);
  });
});
