import { getMarkedPeerId, InputMedia, Message, PeersIndex, type RawUpdateInfo, type tl } from '@mtcute/core';
import * as m from '@mtcute/core/methods.js';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { HttpClient } from '../support/clients/http-client.ts';
import { World } from '../support/clients/world.ts';
import type { Account } from '../support/service/service.ts';
import { throughBinary } from '../support/tl/binary.ts';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

type Texts = Map<string, string>;
/** Reactions and votes of messages. */
type Counts = Map<string, tl.TypeReactionCount[] | tl.TypePollAnswerVoters[]>;

/** A client that is told of everything by the update stream, and may ask for nothing. */
class Follower {
  readonly texts: Texts = new Map();
  readonly counts: Counts = new Map();
  readonly asked: string[] = [];
  private offset: string;
  private readonly client: HttpClient;

  private constructor(client: HttpClient, offset: string) {
    this.client = client;
    this.offset = offset;
    client.onRawUpdate.add((info) => this.note(info));
    client.onRawUpdate.add((info) => this.noteCounts(info));
  }

  static async open(account: Account): Promise<Follower> {
    const { headers } = await world.service.request(
      'GET',
      `/v1/workspaces/${account.workspaceId}/updates?offset=now`,
    );
    const client = await HttpClient.open(world.service, account);
    await client.startUpdatesLoop();
    const follower = new Follower(client, headers.get('stream-next-offset') ?? '');
    const call = client.call.bind(client);
    client.call = (request) => {
      follower.asked.push(request._);
      return call(request);
    };
    return follower;
  }

  /** Feeds what is new on the stream. */
  async read(): Promise<void> {
    const { id, workspaceId } = this.client.account;
    const entries = await world.service.updates(workspaceId, this.offset, `messengerAccountId=${id}`);
    this.offset = entries.at(-1)?.offset ?? this.offset;
    for (const { update, users, chats, timestamp } of entries) {
      const date = Math.floor(Date.parse(timestamp) / 1_000);
      const updates = throughBinary({ _: 'updates', updates: [update], users, chats, date, seq: 0 });
      this.client.onServerUpdate.emit(updates as tl.TypeUpdates);
    }
  }

  async close(): Promise<void> {
    await this.client.stopUpdatesLoop();
  }

  private note({ update, peers }: RawUpdateInfo): void {
    switch (update._) {
      case 'updateNewMessage':
      case 'updateNewChannelMessage':
      case 'updateEditMessage':
      case 'updateEditChannelMessage': {
        const message = new Message(update.message, peers ?? new PeersIndex());
        // Its author is known, or this throws.
        if (update.message._ === 'message')
          this.texts.set(
            `${message.chat.id}:${message.id}`,
            `${message.sender.displayName}: ${message.text}`,
          );
        break;
      }
      case 'updateDeleteMessages':
        for (const id of update.messages)
          for (const key of this.texts.keys())
            if (key.endsWith(`:${id}`) && !key.startsWith('-100')) this.texts.delete(key);
        break;
      case 'updateDeleteChannelMessages':
        for (const id of update.messages) this.texts.delete(`${-1_000_000_000_000 - update.channelId}:${id}`);
        break;
    }
  }

  private noteCounts({ update }: RawUpdateInfo): void {
    const isPoll = update._ === 'updateMessagePoll';
    if (!isPoll && update._ !== 'updateMessageReactions') return;
    const { results } = isPoll ? update.results : update.reactions;
    if (update.peer && results) this.counts.set(`${getMarkedPeerId(update.peer)}:${update.msgId}`, results);
  }
}

/** The texts of some conversations, as the sandbox has them. */
async function textsOf(client: HttpClient, ids: number[]): Promise<Texts> {
  const texts: Texts = new Map();
  for (const id of ids) {
    for await (const message of m.iterHistory(client, id))
      if (message.raw._ === 'message')
        texts.set(`${message.chat.id}:${message.id}`, `${message.sender.displayName}: ${message.text}`);
  }
  return texts;
}

/** The reactions and votes of some conversations, as the sandbox has them. */
async function countsOf(client: HttpClient, ids: number[]): Promise<Counts> {
  const counts: Counts = new Map();
  for (const id of ids) {
    for await (const { chat, id: msgId, raw } of m.iterHistory(client, id)) {
      if (raw._ !== 'message') continue;
      const poll = raw.media?._ === 'messageMediaPoll' ? raw.media.results.results : undefined;
      const found = raw.reactions?.results ?? poll;
      if (found) counts.set(`${chat.id}:${msgId}`, found);
    }
  }
  return counts;
}

it('the stream alone gives a client what the sandbox has', async () => {
  const { ada, bob } = world;
  const followers = [await Follower.open(ada.account), await Follower.open(bob.account)] as const;
  const group = await world.supergroup();
  const channel = await world.channel();
  for (const [chat, name] of [
    [group, 'group'],
    [channel, 'news'],
  ] as const) {
    await m.setChatUsername(ada, chat, `${name}_${Math.abs(chat.id)}`);
    await m.joinChat(bob, `${name}_${Math.abs(chat.id)}`);
  }
  const [first, second] = [await world.text(world.toBob, 'One'), await world.text(world.toBob, 'Two')];
  await m.sendText(bob, world.toAda, 'Three');
  await m.readHistory(bob, world.toAda);
  await m.editMessage(ada, { chatId: world.toBob, message: first.id, text: 'One, changed' });
  await m.deleteMessages(ada, [second]);
  for (const text of ['Four', 'Five']) await m.sendText(bob, group.id, text);
  const post = await world.text(channel, 'Six');
  await world.text(channel, 'Seven');
  await m.deleteMessages(ada, [post]);
  await m.readHistory(bob, group.id);
  await m.sendText(ada, world.toBob, 'Eight');
  await m.sendReaction(ada, { chatId: world.toBob, message: first.id, emoji: '👍' });
  await m.sendMedia(bob, group.id, InputMedia.poll({ question: 'Which?', answers: ['This', 'That'] }));
  const [poll] = await m.getHistory(ada, group, { limit: 1 });
  await m.sendVote(ada, { chatId: group, message: poll?.id ?? 0, options: 0 });
  for (const [i, client] of [ada, bob].entries()) {
    const follower = followers[i as 0 | 1];
    const ids = [(i === 0 ? world.toBob : world.toAda).id, group.id, channel.id];
    const wanted = await textsOf(client, ids);
    const counts = await countsOf(client, ids);
    expect(counts.size).toBe(2);
    await follower.read();
    // There may be as many texts as in the end before the last update is taken.
    await vi.waitFor(() => {
      expect(new Map([...follower.texts].sort())).toEqual(new Map([...wanted].sort()));
      expect(new Map([...follower.counts].sort())).toEqual(new Map([...counts].sort()));
    }, 15_000);
    expect(follower.asked).toEqual([]);
    await follower.close();
  }
});
