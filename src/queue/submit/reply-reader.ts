import { setTimeout as sleep } from 'node:timers/promises';
import { every, type Repeated } from '../../every.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { repliesKey } from '../../redis/keys.ts';
import { Script } from '../../redis/script.ts';
import { COST_FIELD, decodeFrame, type ReplyNote } from '../frame.ts';
import type { PendingCalls } from './pending-calls.ts';

const STREAM_TTL_MS = 60_000;
// The stream expires at once where Redis' clock is set ahead, or its machine was suspended. Until it is there again, replies are lost.
const HEARTBEAT_MS = 1_000;
const TRIM_EVERY = 2_000;
const TRIM_EVERY_BYTES = 1024 * 1024;
// The target size of one read. The number of entries is estimated from earlier reads.
const READ_BYTES = 1024 * 1024;
const READ_COUNT = 1_000;
const READ_COUNT_MIN = 4;
const BLOCK_MS = 5_000;
const AGAIN_MS = 50;

/**
 * Makes ids of new entries higher than that of the entry that was read last. After a failover, the new server may have lost that entry, and
 * its clock may be behind.
 *
 * KEYS  1 reply stream
 * ARGV  1 ms of the id of the entry that was read last, 2 its sequence number
 * Result the entries there are, if new ones would have had lower ids; else none
 */
const overtake = new Script(`#!lua flags=allow-oom
local info = redis.call('XINFO', 'STREAM', KEYS[1])
local ms, seq
for i = 1, #info, 2 do
  if info[i] == 'last-generated-id' then ms, seq = string.match(info[i + 1], '^(%d+)-(%d+)$') end
end
local isBehind = tonumber(ms) < tonumber(ARGV[1]) or (ms == ARGV[1] and tonumber(seq) < tonumber(ARGV[2]))
if not isBehind then return {} end
redis.call('XSETID', KEYS[1], ARGV[1] .. '-' .. ARGV[2])
return redis.call('XRANGE', KEYS[1], '-', '+')
`);

/**
 * Creates the stream, even when Redis' memory is full: a process that starts then can still read and delete.
 *
 * KEYS  1 reply stream
 * ARGV  1 time to live (ms)
 */
const create = new Script(`#!lua flags=allow-oom
redis.call('XADD', KEYS[1], '*', '', '')
redis.call('PEXPIRE', KEYS[1], ARGV[1])
`);

type Entry = [id: string, fields: string[]];

/** A large reply, which its entry only refers to. */
interface Stored {
  entryId: string;
  callNumber: number;
  key: string;
  note: ReplyNote | undefined;
}

/**
 * Reads the reply stream of this API process from its beginning, and answers its calls. Trims the stream behind the reader, by entries and
 * by bytes. The stream expires when the process is gone.
 */
export class ReplyReader {
  readonly streamKey: string;
  private readonly commands: RedisConnection;
  private readonly blocking: RedisConnection;
  private readonly calls: Pick<PendingCalls, 'answer' | 'move'>;
  private position = '0-0';
  private untrimmed = 0;
  private untrimmedBytes = 0;
  private readCount = READ_COUNT;
  private stopped = false;
  private heartbeat: Repeated | undefined;
  private loop: Promise<void> | undefined;
  private fetching: Promise<void> | undefined;
  private isFetching = false;
  /** Large replies that were not fetched yet, oldest first. */
  private readonly unfetched: Stored[] = [];
  // At once, not with the next heartbeat: until then the stream may be missing, or may hide replies.
  private readonly onReady = () => void this.keepAlive().catch(() => undefined);

  constructor(
    processName: string,
    connections: { commands: RedisConnection; blocking: RedisConnection },
    calls: Pick<PendingCalls, 'answer' | 'move'>,
  ) {
    this.streamKey = repliesKey(processName);
    this.commands = connections.commands;
    this.blocking = connections.blocking;
    this.calls = calls;
  }

  /** Creates the stream and starts to read it. */
  async start(): Promise<void> {
    await this.keepAlive();
    this.commands.on('ready', this.onReady);
    // The stream survives several missed heartbeats.
    this.heartbeat = every(HEARTBEAT_MS, () => this.keepAlive(), { onFailure: () => undefined });
    this.loop = this.run();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.commands.off('ready', this.onReady);
    await this.heartbeat?.stop();
    this.blocking.disconnect();
    await Promise.all([this.loop, this.fetching]);
    await this.commands.unlink(this.streamKey).catch(() => undefined);
  }

  /** Extends the stream's expiry, or recreates the stream: workers write only to an existing one. Finds what a failover has hidden. */
  async keepAlive(): Promise<void> {
    if ((await this.commands.pexpire(this.streamKey, STREAM_TTL_MS)) === 0)
      await create.run(this.commands, [this.streamKey], [STREAM_TTL_MS]);
    const readLast = this.position.split('-');
    const hidden = (await overtake.run(this.commands, [this.streamKey], readLast)) as Entry[];
    this.deliverAll(hidden);
    this.untrimmed += hidden.length;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      try {
        await this.readOnce();
      } catch {
        if (this.stopped) return;
        await sleep(AGAIN_MS);
      }
    }
  }

  private async readOnce(): Promise<void> {
    const answer = await this.blocking.xread(
      'COUNT',
      this.readCount,
      'BLOCK',
      BLOCK_MS,
      'STREAMS',
      this.streamKey,
      this.position,
    );
    const entries = answer?.[0]?.[1] ?? [];
    const bytes = entries.reduce((sum, [, fields]) => sum + lengthOf(fields), 0);
    if (bytes > 0) {
      const fitting = Math.floor((READ_BYTES * entries.length) / bytes);
      this.readCount = Math.min(READ_COUNT, Math.max(READ_COUNT_MIN, fitting));
    }
    this.deliverAll(entries);
    // Only now: if delivery fails, the entries are read again. A reply that comes twice is delivered once.
    this.position = entries.at(-1)?.[0] ?? this.position;
    this.untrimmed += entries.length;
    this.untrimmedBytes += bytes;
    await this.trim(entries.length === 0);
  }

  private async trim(isIdle: boolean): Promise<void> {
    const isMuch = this.untrimmed >= TRIM_EVERY || this.untrimmedBytes >= TRIM_EVERY_BYTES;
    if (!isMuch && !(isIdle && this.untrimmed + this.untrimmedBytes > 0)) return;
    const { untrimmed, untrimmedBytes } = this;
    this.untrimmed = 0;
    this.untrimmedBytes = 0;
    try {
      await this.commands.xtrim(this.streamKey, 'MINID', this.oldestUnread);
    } catch (error) {
      // Else a stream that is full of read replies would stay full: workers write nothing more to it, so nothing would lead to a trim.
      this.untrimmed += untrimmed;
      this.untrimmedBytes += untrimmedBytes;
      throw error;
    }
  }

  // The trim position tells workers what is unread. Replies that are still to be fetched count as unread.
  private get oldestUnread(): string {
    const [unfetched] = this.unfetched;
    if (unfetched !== undefined) return unfetched.entryId;
    const [ms, seq] = this.position.split('-');
    return `${ms}-${BigInt(seq ?? 0) + 1n}`;
  }

  // Fetches large replies in the background, so that small replies behind them do not wait.
  private fetchLater(stored: readonly Stored[]): void {
    this.unfetched.push(...stored);
    if (!this.isFetching) this.fetching = this.fetchAll();
  }

  private async fetchAll(): Promise<void> {
    this.isFetching = true;
    for (let next = this.unfetched[0]; next !== undefined && !this.stopped; next = this.unfetched[0]) {
      try {
        await this.deliverStored(next);
        this.unfetched.shift();
        // Writers may be waiting for room, so trim even if no further reply comes. If this fails, a later read trims.
        await this.trim(this.unfetched.length === 0).catch(() => undefined);
      } catch {
        await sleep(AGAIN_MS);
      }
    }
    this.isFetching = false;
  }

  private deliverAll(entries: readonly Entry[]): void {
    const stored: Stored[] = [];
    for (const [id, fields] of entries) this.deliver(id, fields, stored);
    if (stored.length > 0) this.fetchLater(stored);
  }

  private deliver(entryId: string, fields: string[], stored: Stored[]): void {
    // It belongs to the reply that follows.
    let note: ReplyNote | undefined;
    for (let i = 0; i + 1 < fields.length; i += 2) {
      const field = fields[i];
      const frame = fields[i + 1] as string;
      if (field === '') {
        if (frame !== '') note = { ...note, ranUntil: Number(frame) };
        continue;
      }
      if (field === COST_FIELD) {
        note = { ...note, cost: Number(frame) };
        continue;
      }
      const callNumber = Number(field);
      if (callNumber < 0) this.calls.move(-callNumber);
      else if (frame.startsWith('@')) stored.push({ entryId, callNumber, key: frame.slice(1), note });
      else this.calls.answer(callNumber, decodeFrame(frame), note);
      note = undefined;
    }
  }

  private async deliverStored({ callNumber, key, note }: Stored): Promise<void> {
    const frame = await this.commands.get(key);
    if (frame === null) return;
    this.untrimmedBytes += frame.length;
    this.calls.answer(callNumber, decodeFrame(frame), note);
    this.commands.unlink(key).catch(() => undefined);
  }
}

function lengthOf(fields: string[]): number {
  let length = 0;
  for (const field of fields) length += field.length;
  return length;
}
