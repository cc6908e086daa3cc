import type { PeerKey } from '../../../../workers/sandbox/model/common/keys.ts';
import { channelOf, peerOf, Sandbox, type SandboxAccount, userOf } from '../sandbox.ts';
import { Replica } from './replica.ts';

/** A conversation, as one account addresses it. */
export interface Place {
  key: PeerKey;
  kind: 'private' | 'self' | 'group' | 'forum' | 'supergroup' | 'broadcast';
  peer: object;
}

export interface Channel extends Place {
  kind: 'forum' | 'supergroup' | 'broadcast';
  id: number;
  /** As methods of `channels` address it. */
  channel: object;
}

const CHANNELS = [
  ['forum', { megagroup: true, forum: true }],
  ['supergroup', { megagroup: true }],
  ['broadcast', { broadcast: true }],
] as const;

/** Four accounts that share a group and three channels, the first of them their creator, each with a replica that follows the stream. */
export class World {
  readonly sandbox: Sandbox;
  readonly replicas: readonly Replica[];
  readonly channels: Channel[] = [];
  group: Place & { chatId: number } = { key: 'g0', kind: 'group', peer: {}, chatId: 0 };
  /** How many acts were not refused. */
  done = 0;
  private lastTxid = 0;

  private constructor(sandbox: Sandbox, accounts: readonly SandboxAccount[]) {
    this.sandbox = sandbox;
    this.replicas = accounts.map((account) => new Replica(account));
  }

  static async open(): Promise<World> {
    const sandbox = await Sandbox.open();
    const ada = await sandbox.anAccount('Ada');
    const accounts = [ada];
    for (const name of ['Bob', 'Cleo', 'Dan'])
      accounts.push(await sandbox.anAccount(name, { workspaceId: ada.workspaceId }));
    const world = new World(sandbox, accounts);
    // What was seeded for the accounts is not theirs to follow.
    await world.follow();
    await world.addPlaces();
    return world;
  }

  get accounts(): readonly SandboxAccount[] {
    return this.replicas.map(({ account }) => account);
  }

  get creator(): Replica {
    return this.replicas[0] as Replica;
  }

  get workspaceId(): string {
    return this.creator.account.workspaceId;
  }

  get forum(): Channel {
    return this.channels[0] as Channel;
  }

  /** The channels where members write to each other. */
  get supergroups(): Channel[] {
    return this.channels.filter(({ kind }) => kind !== 'broadcast');
  }

  /** The topics of the forum that accounts have made. */
  get topics(): number[] {
    const messages = [...this.creator.messagesOf(this.forum.key).values()];
    return messages.flatMap((one) =>
      one._ === 'messageService' && one.action._ === 'messageActionTopicCreate' ? [one.id] : [],
    );
  }

  placesOf({ account }: Replica): Place[] {
    const people = this.accounts.map((other): Place => {
      const key: PeerKey = `u${other.userId}`;
      if (other === account) return { key, kind: 'self', peer: { _: 'inputPeerSelf' } };
      return { key, kind: 'private', peer: peerOf(other) };
    });
    return [...people, this.group, ...this.channels];
  }

  /** Has the replicas take in what has come on the stream, and gives what is wrong with it. */
  async follow(): Promise<string[]> {
    const fresh = await this.sandbox.updates({ workspaceId: this.workspaceId }, this.lastTxid);
    this.lastTxid = fresh.at(-1)?.txid ?? this.lastTxid;
    return fresh.flatMap((entry) => {
      const replica = this.replicas.find(({ account }) => account.id === entry.accountId);
      return replica ? replica.take(entry) : [];
    });
  }

  private async addPlaces(): Promise<void> {
    const [ada, ...others] = this.accounts as [SandboxAccount, ...SandboxAccount[]];
    for (const [kind, settings] of CHANNELS) {
      const made = await this.sandbox.call(ada, 'channels.createChannel', {
        title: kind,
        about: '',
        ...settings,
      });
      const { id } = made.chats[0];
      const channel = { _: 'inputChannel', channelId: id, accessHash: '0' };
      await this.sandbox.call(ada, 'channels.updateUsername', { channel, username: `place_${id}` });
      for (const one of others) await this.sandbox.call(one, 'channels.joinChannel', { channel });
      this.channels.push({ key: `c${id}`, kind, peer: channelOf(id), id, channel });
    }
    await this.promote(others[0] as SandboxAccount);
    const peer = await this.sandbox.aGroup(ada, ...others);
    this.group = { key: `g${peer.chatId}`, kind: 'group', peer, chatId: peer.chatId };
  }

  private async promote(account: SandboxAccount): Promise<void> {
    const adminRights = { _: 'chatAdminRights', pinMessages: true, deleteMessages: true };
    for (const { channel, kind } of this.supergroups)
      await this.sandbox.call(this.creator.account, 'channels.editAdmin', {
        channel,
        userId: userOf(account),
        adminRights: { ...adminRights, ...(kind === 'forum' ? { manageTopics: true } : {}) },
      });
  }
}
