import type { tl } from '@mtcute/core';
import type { TlJson, Update } from '../../../../src/tl/tl-json.ts';
import type { TlMessage } from '../../../../workers/sandbox/model/boxes/messages.ts';
import type { PeerKey } from '../../../../workers/sandbox/model/common/keys.ts';
import type { SandboxAccount, StreamedUpdate } from '../sandbox.ts';
import { listMissingPeers } from './missing-peers.ts';
import { keyOfPeer, takeUpdate } from './take-update.ts';

export type Draft = TlJson<tl.RawDraftMessage>;
export type PollResults = TlJson<tl.RawPollResults>;
/** A topic of a channel, or where no topic is meant. */
export type ThreadKey = `${PeerKey}:${number | ''}`;

/** What a client of an account knows that has followed the updates from the start, and asked for nothing. */
export class Replica {
  readonly account: SandboxAccount;
  readonly messages = new Map<PeerKey, Map<number, TlMessage>>();
  /** How far the account has read. */
  readonly read = new Map<PeerKey, number>();
  /** How far others have read. */
  readonly seen = new Map<PeerKey, number>();
  readonly unread = new Map<PeerKey, number>();
  readonly topicRead = new Map<ThreadKey, number>();
  readonly topicSeen = new Map<ThreadKey, number>();
  readonly drafts = new Map<ThreadKey, Draft>();
  /** The results of polls that were told of since their messages, by the id of the poll. */
  readonly polls = new Map<string, PollResults>();
  /** Polls of a group that the account has left: it is not told of their votes. */
  readonly stalePolls = new Set<string>();
  /** The channels that the account is in. */
  readonly joined = new Set<PeerKey>();
  /** The `pts` of the account (`''`) and of its channels. */
  private readonly pts = new Map<PeerKey | '', number>();

  constructor(account: SandboxAccount) {
    this.account = account;
  }

  get ownKey(): PeerKey {
    return `u${this.account.userId}`;
  }

  messagesOf(key: PeerKey): Map<number, TlMessage> {
    const known = this.messages.get(key) ?? new Map<number, TlMessage>();
    this.messages.set(key, known);
    return known;
  }

  /** Ids in private chats and groups are those of the account's box: each is of one message. */
  placeInBox(id: number): PeerKey | undefined {
    return [...this.messages.keys()].find((key) => !key.startsWith('c') && this.messages.get(key)?.has(id));
  }

  ptsOf(key: PeerKey | ''): number {
    return this.pts.get(key) ?? 0;
  }

  /** Takes in an update, and gives what is wrong with it. */
  take(entry: StreamedUpdate): string[] {
    const update = entry.update as Update;
    const wrong = [
      ...this.takePts(update),
      ...this.listUnordered(update),
      ...listMissingPeers(update, entry),
    ];
    takeUpdate(this, update, entry);
    return wrong.map((text) => `account ${this.account.userId} was told wrongly: ${text}`);
  }

  add(key: PeerKey, message: TlMessage): void {
    this.messagesOf(key).set(message.id, message);
    if (this.countsAsUnread(key, message)) this.unread.set(key, (this.unread.get(key) ?? 0) + 1);
  }

  remove(key: PeerKey, id: number): void {
    const message = this.messagesOf(key).get(id);
    if (!message) return;
    this.messagesOf(key).delete(id);
    if (this.countsAsUnread(key, message)) this.unread.set(key, (this.unread.get(key) ?? 0) - 1);
  }

  /** Forgets a channel that the account is in no more. */
  forget(key: PeerKey): void {
    for (const known of [this.messages, this.read, this.seen, this.unread, this.pts]) known.delete(key);
    for (const known of [this.topicRead, this.topicSeen, this.drafts])
      for (const thread of known.keys()) if (thread.startsWith(`${key}:`)) known.delete(thread);
    this.joined.delete(key);
  }

  private countsAsUnread(key: PeerKey, { out, id }: TlMessage): boolean {
    return !out && key !== this.ownKey && id > (this.read.get(key) ?? 0);
  }

  private listUnordered(update: Update): string[] {
    if (update._ !== 'updateNewMessage' && update._ !== 'updateNewChannelMessage') return [];
    const { message } = update;
    if (message._ === 'messageEmpty') return ['a new message is empty'];
    const key = keyOfPeer(message.peerId);
    const top = Math.max(0, ...this.messagesOf(key).keys());
    return message.id > top ? [] : [`message ${message.id} of ${key} came after ${top}`];
  }

  private takePts(update: Update): string[] {
    if (!('ptsCount' in update)) return [];
    const { pts, ptsCount } = update;
    const key = ptsKeyOf(update);
    // What only comes with the pts of a channel, such as how far it was read, changes nothing in it.
    if (key !== '' && ptsCount === 0) return [];
    const before = this.pts.get(key);
    this.pts.set(key, pts);
    if (before === undefined || before + ptsCount === pts) return [];
    return [`after pts ${before} of ${key || 'the account'} came ${JSON.stringify(update)}`];
  }
}

function ptsKeyOf(update: Update): PeerKey | '' {
  if (!update._.includes('Channel')) return '';
  if ('channelId' in update) return `c${update.channelId}`;
  if (!('message' in update) || typeof update.message === 'string') return '';
  const { message } = update;
  return 'peerId' in message && message.peerId?._ === 'peerChannel' ? `c${message.peerId.channelId}` : '';
}
