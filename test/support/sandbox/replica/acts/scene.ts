import type { TlMessage } from '../../../../../workers/sandbox/model/boxes/messages.ts';
import type { PeerKey } from '../../../../../workers/sandbox/model/common/keys.ts';
import type { Random } from '../../../random.ts';
import type { SandboxAccount } from '../../sandbox.ts';
import type { Replica } from '../replica.ts';
import type { Channel, Place, World } from '../world.ts';

const RECENT = 12;

/** A call to make. */
export interface Act {
  account: SandboxAccount;
  method: string;
  params: object;
}

/** Makes one kind of act; null where nothing fits. */
export type MakeAct = (scene: Scene) => Act | null;

/** What random acts are made of: an account, a place, and messages there. */
export class Scene {
  readonly world: World;
  readonly random: Random;
  readonly replica: Replica;
  readonly place: Place;
  /** In the forum, often a topic. */
  readonly topic: number | undefined;

  constructor(world: World, random: Random) {
    this.world = world;
    this.random = random;
    this.replica = random.pick(world.replicas);
    this.place = this.aPlace();
    this.topic = this.place.kind === 'forum' ? this.aTopic() : undefined;
  }

  get account(): SandboxAccount {
    return this.replica.account;
  }

  get peer(): object {
    return this.place.peer;
  }

  /** The place, if it is a channel. */
  get channel(): Channel | undefined {
    return this.world.channels.find(({ key }) => key === this.place.key);
  }

  get creator(): SandboxAccount {
    return this.world.creator.account;
  }

  /** True once in `times`. */
  oneIn(times: number): boolean {
    return this.random.below(times) === 0;
  }

  /** These fields once in `times`. */
  maybe<Fields extends object>(times: number, fields: Fields): Fields | Record<never, never> {
    return this.oneIn(times) ? fields : {};
  }

  /** A private chat, oneself, the group or a channel. */
  aPlace(): Place {
    const places = this.world.placesOf(this.replica);
    const kind = this.random.pick([
      ...(['private', 'private', 'private', 'self', 'group', 'group'] as const),
      ...(['forum', 'supergroup', 'broadcast', 'forum'] as const),
    ]);
    return this.random.pick(places.filter((place) => place.kind === kind));
  }

  aTopic(): number | undefined {
    const { topics } = this.world;
    return topics.length > 0 && !this.oneIn(3) ? this.random.pick([1, ...topics]) : undefined;
  }

  /** The topic, if it is one that was made: the general one is meant where none is named. */
  get madeTopic(): { topMsgId?: number } {
    return this.topic !== undefined && this.topic > 1 ? { topMsgId: this.topic } : {};
  }

  aText(): string {
    return `Text ${this.random.below(1_000_000)}`;
  }

  /** Somebody who is not the creator. */
  aGuest(): SandboxAccount {
    return this.random.pick(this.world.accounts.slice(1));
  }

  recent(key: PeerKey = this.place.key): TlMessage[] {
    return [...this.replica.messagesOf(key).values()].slice(-RECENT);
  }

  /** The id of a recent message, of any where there is none. */
  anId(key?: PeerKey): number {
    const messages = this.recent(key);
    return messages.length > 0 ? this.random.pick(messages).id : 1;
  }

  fewIds(): number[] {
    return this.recent()
      .slice(-5)
      .map(({ id }) => id);
  }

  /** What the account does. */
  act(method: string, params: object): Act {
    return { account: this.account, method, params };
  }
}
