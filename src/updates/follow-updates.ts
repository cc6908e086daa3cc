import { setMaxListeners } from 'node:events';
import { every, type Repeated } from '../every.ts';
import type { Logger } from '../logger.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { wakeChannel } from '../redis/keys.ts';
import type { UpdateBatch } from './read-updates.ts';
import { Turns } from './turns.ts';
import { type Listener, type TakeTurn, WorkspaceFeed } from './workspace-feed.ts';

/** Someone's view of a workspace's stream as it grows; to be closed. */
export interface Followed {
  /** The updates behind an offset, from memory where they are new, else when it is the reader's turn. */
  readBehind(offset: string): Promise<UpdateBatch>;
  /** The same when they are in memory; null when they have to be read. */
  heldBehind(offset: string): UpdateBatch | null;
  /** Whether something is known to lie behind an offset. */
  hasBehind(offset: string): boolean;
  /** Tells one listener, until this is closed, when there may be something new or the follower ends. */
  tell(listener: Listener): void;
  /** Resolves when there may be something behind the offset, when the signal or the follower ends, or after `timeoutMs`. */
  untilBehind(offset: string, timeoutMs: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

interface Watched {
  feed: WorkspaceFeed;
  followers: number;
  poll: Repeated;
}

const POLL_MS = 1_000;

/**
 * Follows the streams of workspaces for everyone in this process: one subscription and one read per wake-up for each
 * workspace, however many follow it. Wake-ups may get lost, so each followed stream is looked at every second too.
 */
export class UpdateFollower {
  private readonly redis: RedisConnection;
  private readonly subscriber: RedisConnection;
  private readonly log: Logger;
  private readonly turns = new Turns();
  private readonly watched = new Map<string, Watched>();
  private readonly ended = new AbortController();

  /** `redis` is one for reads that may be long; on `subscriber` others may listen to channels of their own. */
  constructor(redis: RedisConnection, subscriber: RedisConnection, log: Logger) {
    this.redis = redis;
    this.subscriber = subscriber;
    this.log = log;
    // Every slow reader listens.
    setMaxListeners(0, this.ended.signal);
    subscriber.on('smessage', (channel: string) => this.wake(channel));
  }

  /** Ends once nobody may follow any more. */
  get signal(): AbortSignal {
    return this.ended.signal;
  }

  /** Starts to follow a workspace's stream; what has to be read for this one alone takes its turn. */
  follow(workspaceId: string, takeTurn: TakeTurn): Followed {
    const channel = wakeChannel(workspaceId);
    const { feed } = this.watch(channel, workspaceId);
    let isOpen = true;
    let told: Listener | undefined;
    return {
      readBehind: (offset) => feed.readBehind(offset, takeTurn),
      heldBehind: (offset) => feed.heldBehind(offset),
      hasBehind: (offset) => feed.hasBehind(offset),
      tell: (listener) => {
        told = listener;
        feed.tell(listener);
      },
      untilBehind: (offset, timeoutMs, signal) => feed.untilBehind(offset, timeoutMs, signal),
      close: () => {
        if (told) feed.forget(told);
        if (isOpen) this.leave(channel);
        isOpen = false;
      },
    };
  }

  /** Ends all following: everyone who waits goes on at once. */
  close(): void {
    this.ended.abort();
    for (const { feed } of this.watched.values()) feed.wakeAll();
  }

  private watch(channel: string, workspaceId: string): Watched {
    const known = this.watched.get(channel);
    if (known !== undefined) {
      known.followers++;
      return known;
    }
    const feed = new WorkspaceFeed(this.redis, workspaceId, this.turns);
    const poll = every(POLL_MS, () => this.wake(channel), { spread: 0.1 });
    const watched = { feed, followers: 1, poll };
    this.watched.set(channel, watched);
    this.wake(channel);
    this.subscriber.ssubscribe(channel).then(
      () => this.wake(channel),
      (err) => this.log.warn({ err, workspaceId }, 'wake-ups are not heard; polling instead'),
    );
    return watched;
  }

  private leave(channel: string): void {
    const watched = this.watched.get(channel);
    if (watched === undefined || --watched.followers > 0) return;
    void watched.poll.stop();
    this.watched.delete(channel);
    this.subscriber.sunsubscribe(channel).catch(() => undefined);
  }

  private wake(channel: string): void {
    // Redis being away is no news here: the poll tries again, and readers are told by their own reads.
    this.watched
      .get(channel)
      ?.feed.refresh()
      .catch(() => undefined);
  }
}
