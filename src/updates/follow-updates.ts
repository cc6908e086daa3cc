import { every, type Repeated } from '../every.ts';
import type { Logger } from '../logger.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { wakeChannel } from '../redis/keys.ts';
import { KeptUpdates } from './kept-updates.ts';
import type { UpdateBatch } from './read-updates.ts';
import { SlicedTasks } from './sliced-tasks.ts';
import { type WantedUpdate, waitForUpdate } from './wait-for-update.ts';
import { type Listener, type TakeTurn, WorkspaceFeed } from './workspace-feed.ts';

/** One reader's view of a growing stream. It has to be closed. */
export interface Followed {
  /** The updates after an offset: new ones from memory, others from Redis when it is the reader's turn. */
  readAfter(offset: string): Promise<UpdateBatch>;
  /** The same if they are in memory; null if they have to be read from Redis. */
  heldAfter(offset: string): UpdateBatch | null;
  /** Whether updates after an offset are known to exist. */
  hasAfter(offset: string): boolean;
  /** Wakes one listener, until this is closed, when there may be new updates or the follower ends. */
  listen(listener: Listener): void;
  /** Records the reader's offset. */
  reached(offset: string): void;
  /** Resolves with an offset behind which there may be a wanted update, when the signal aborts or the follower ends, or after `timeoutMs`. */
  waitFor(offset: string, wanted: WantedUpdate): Promise<string>;
  close(): void;
}

interface Reader {
  feed: WorkspaceFeed;
  /** The reader's offset; null until `reached` is called. */
  at: string | null;
}

interface Watched {
  feed: WorkspaceFeed;
  followers: number;
  poll: Repeated;
}

const POLL_MS = 1_000;
const KEPT_BYTES = 32 * 1024 * 1024;

/**
 * Follows the streams of workspaces for all readers of this process, with one subscription per workspace and one read per wake-up.
 * Wake-ups may get lost, so each followed stream is also polled every second.
 */
export class UpdateFollower {
  private readonly redis: RedisConnection;
  private readonly subscriber: RedisConnection;
  private readonly log: Logger;
  private readonly wakeUps = new SlicedTasks();
  private readonly kept = new KeptUpdates(KEPT_BYTES);
  private readonly watched = new Map<string, Watched>();
  private readonly readers = new Set<Reader>();
  private readonly ended = new AbortController();

  /** `redis` is the connection for long reads; `subscriber` may be shared with users of other channels. */
  constructor(redis: RedisConnection, subscriber: RedisConnection, log: Logger) {
    this.redis = redis;
    this.subscriber = subscriber;
    this.log = log;
    subscriber.on('smessage', (channel: string) => this.wake(channel));
  }

  /** Aborts when the follower ends. Thousands wait at a time, so they look at it when they are woken, and do not listen. */
  get signal(): AbortSignal {
    return this.ended.signal;
  }

  /** How many readers follow streams, and by how many ms the one furthest behind is. */
  get lag(): { readers: number; furthestMs: number } {
    let furthestMs = 0;
    for (const { feed, at } of this.readers)
      if (at !== null) furthestMs = Math.max(furthestMs, feed.millisecondsAfter(at));
    return { readers: this.readers.size, furthestMs };
  }

  /** Starts to follow a workspace's stream. Reads for this reader alone wait for `takeTurn`. */
  follow(workspaceId: string, takeTurn: TakeTurn): Followed {
    const channel = wakeChannel(workspaceId);
    const { feed } = this.watch(channel, workspaceId);
    let isOpen = true;
    let listening: Listener | undefined;
    const reader: Reader = { feed, at: null };
    this.readers.add(reader);
    return {
      readAfter: (offset) => feed.readAfter(offset, takeTurn),
      heldAfter: (offset) => feed.heldAfter(offset),
      hasAfter: (offset) => feed.hasAfter(offset),
      listen: (listener) => {
        listening = listener;
        feed.listen(listener);
      },
      reached: (offset) => {
        reader.at = offset;
      },
      waitFor: (offset, wanted) => waitForUpdate(feed, offset, wanted, this.ended.signal),
      close: () => {
        if (listening) feed.unlisten(listening);
        this.readers.delete(reader);
        if (isOpen) this.leave(channel);
        isOpen = false;
      },
    };
  }

  /** Ends the follower and wakes all readers. */
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
    const feed = new WorkspaceFeed(this.redis, workspaceId, this.wakeUps, this.kept);
    const poll = every(POLL_MS, () => this.wake(channel), { spread: 0.1 });
    const watched = { feed, followers: 1, poll };
    this.watched.set(channel, watched);
    this.wake(channel);
    this.subscriber.ssubscribe(channel).then(
      () => this.wake(channel),
      (err) => this.log.warn({ err, workspaceId }, 'no subscription to wake-ups; polling instead'),
    );
    return watched;
  }

  private leave(channel: string): void {
    const watched = this.watched.get(channel);
    if (watched === undefined || --watched.followers > 0) return;
    void watched.poll.stop();
    watched.feed.close();
    this.watched.delete(channel);
    this.subscriber.sunsubscribe(channel).catch(() => undefined);
  }

  private wake(channel: string): void {
    // If Redis is unavailable, the poll tries again, and the readers' own reads report it.
    this.watched
      .get(channel)
      ?.feed.refresh()
      .catch(() => undefined);
  }
}
