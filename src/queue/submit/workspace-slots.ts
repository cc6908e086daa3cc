import type { CallCaps } from '../../directory/accounts.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { slotLineKey, slotsKey, slotWakeChannel } from '../../redis/keys.ts';
import { slotsScript } from '../slots-script.ts';
import type { PendingCall } from './pending-call.ts';
import type { PendingCalls } from './pending-calls.ts';

const ASKED_AT_ONCE = 256;
const POLL_MS = 400;
// A worker may notice the end of a call's time a little late.
const LATE_MS = 1_000;
// To look at all waiting calls takes too long for each question.
const LOOK_AT_ALL_MS = 400;
// While Redis is away, no more than this many slots are remembered to be given back. Others expire.
const FREED_MAX = 10_000;

interface AccountLine {
  id: string;
  cap: number | null;
  /** Oldest first. Those that have ended are removed now and then. */
  waiting: PendingCall[];
  /** Whether this process is in the account's line in Redis. */
  isKnown: boolean;
}

export interface SlotOptions {
  redis: RedisConnection;
  processName: string;
  /** The current caps on an account's calls; null for none, undefined if the account no longer exists. */
  findCaps(workspaceId: string, accountId: string): Promise<CallCaps | null | undefined>;
  calls: Pick<PendingCalls, 'admit' | 'end' | 'endOrphan'>;
}

/** The capped calls of one workspace in this process: calls that wait for a slot, and slots to give back. */
export class WorkspaceSlots {
  readonly channel: string;
  private readonly id: string;
  private readonly options: SlotOptions;
  private readonly lines = new Map<string, AccountLine>();
  private cap: number | null = null;
  private freed: { accountId: string; callId: string }[] = [];
  private held = 0;
  private asking: Promise<void> | null = null;
  private again = false;
  private scheduled = false;
  private lookedAt = Number.NEGATIVE_INFINITY;
  private poll: NodeJS.Timeout | undefined;

  constructor(id: string, options: SlotOptions) {
    this.id = id;
    this.channel = slotWakeChannel(id);
    this.options = options;
  }

  /** Whether calls wait here. */
  get isWaiting(): boolean {
    for (const { waiting } of this.lines.values()) if (waiting.length > 0) return true;
    return false;
  }

  /** Whether no call waits and no slot is held or to be given back. */
  get isIdle(): boolean {
    return this.held === 0 && this.freed.length === 0 && this.asking === null && !this.isWaiting;
  }

  push(pending: PendingCall, caps: CallCaps): void {
    const line = this.line(pending.call.account.id);
    this.cap = caps.workspace;
    line.cap = caps.account;
    line.waiting.push(pending);
    // If the process is already in the line, there is nothing to ask: freeing a slot asks for all.
    if (!line.isKnown) this.schedule();
  }

  /** Gives back a call's slot. */
  free({ call }: PendingCall): void {
    this.held -= 1;
    this.freed.push({ accountId: call.account.id, callId: call.id });
    this.schedule();
  }

  /** Asks at the end of this turn of the event loop, once for all calls of the turn. */
  schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      void this.ask();
    });
  }

  /** Resolves once the freed slots were given back, or could not be. */
  async close(): Promise<void> {
    await this.ask();
    clearTimeout(this.poll);
  }

  private ask(): Promise<void> {
    this.again = true;
    this.asking ??= this.askUntilDone().finally(() => {
      this.asking = null;
    });
    return this.asking;
  }

  private async askUntilDone(): Promise<void> {
    while (this.again) {
      this.again = false;
      await this.askOnce();
    }
    clearTimeout(this.poll);
    if (this.isWaiting || this.freed.length > 0) this.pollLater();
  }

  // Finds slots freed by expiry, changed caps, and slots whose wake-up was lost.
  private pollLater(): void {
    this.poll = setTimeout(
      () => {
        void this.refreshCaps().then(() => this.ask());
      },
      POLL_MS * (0.5 + Math.random() / 2),
    );
    this.poll.unref();
  }

  private async refreshCaps(): Promise<void> {
    const lines = [...this.lines.values()].filter(({ waiting }) => waiting.length > 0);
    const found = lines.slice(0, ASKED_AT_ONCE).map(async (line) => {
      const caps = await this.options.findCaps(this.id, line.id);
      if (caps === undefined) {
        // The account no longer exists. This says nothing about its workspace's cap.
        for (const pending of line.waiting) void this.options.calls.endOrphan(pending);
        return;
      }
      line.cap = caps?.account ?? null;
      this.cap = caps?.workspace ?? null;
    });
    await Promise.allSettled(found);
  }

  private async askOnce(): Promise<void> {
    this.removeEnded();
    this.letUncappedGo();
    const freed = this.freed.splice(0);
    const lines = this.linesToAsk(freed);
    if (lines.length === 0) return;
    const indexes = new Map(lines.map(({ id }, index) => [id, index + 1]));
    const offered = this.offer(lines);
    const args = [
      this.options.processName,
      POLL_MS,
      this.cap ?? '',
      lines.length,
      ...lines.map(({ cap }) => cap ?? ''),
      freed.length,
      ...freed.flatMap(({ accountId, callId }) => [indexes.get(accountId) as number, callId]),
      offered.length,
      ...offered.flatMap(({ call }) => [
        indexes.get(call.account.id) as number,
        call.id,
        call.acceptedAt,
        call.notAfter + LATE_MS,
      ]),
    ];
    const keys = [undefined, ...lines.map(({ id }) => id)].flatMap((accountId) => [
      slotsKey(this.id, accountId),
      slotLineKey(this.id, accountId),
    ]);
    try {
      const taken = await slotsScript.run(this.options.redis, [this.channel, ...keys], args);
      this.conclude(lines, offered, taken as number[]);
    } catch {
      // The slots may have been taken although no answer came. A slot that cannot be given back expires with its call's time.
      const maybeTaken = offered.map(({ call }) => ({ accountId: call.account.id, callId: call.id }));
      if (this.freed.length < FREED_MAX) this.freed.push(...freed, ...maybeTaken);
      this.conclude(lines, offered, []);
      for (const pending of offered) void this.options.calls.end(pending, 'unavailable');
    }
  }

  private conclude(lines: AccountLine[], offered: PendingCall[], taken: number[]): void {
    const isTaken = new Set(offered.filter((_, index) => taken[index] === 1));
    const refused = new Set(
      offered.filter((pending) => !isTaken.has(pending)).map(({ call }) => call.account.id),
    );
    const asked = new Map<string, number>();
    for (const { call } of offered) asked.set(call.account.id, (asked.get(call.account.id) ?? 0) + 1);
    for (const line of lines) {
      // What was offered is still at the head of the line.
      const head = line.waiting.slice(0, asked.get(line.id) ?? 0);
      line.waiting.splice(0, head.length, ...head.filter((pending) => !isTaken.has(pending)));
      line.isKnown = refused.has(line.id);
      this.lines.delete(line.id);
      if (line.waiting.length === 0) continue;
      // Moves the line behind those that were not asked for yet.
      this.lines.set(line.id, line);
      if (!line.isKnown) this.again = true;
    }
    for (const pending of isTaken) {
      this.held += 1;
      if (pending.state === 'ended') this.free(pending);
      else this.options.calls.admit(pending, true);
    }
  }

  private removeEnded(): void {
    const now = performance.now();
    if (now - this.lookedAt < LOOK_AT_ALL_MS) return;
    this.lookedAt = now;
    for (const line of this.lines.values())
      line.waiting = line.waiting.filter(({ state }) => state !== 'ended');
  }

  private letUncappedGo(): void {
    if (this.cap !== null) return;
    for (const line of this.lines.values()) {
      if (line.cap !== null) continue;
      for (const pending of line.waiting.splice(0))
        if (pending.state !== 'ended') this.options.calls.admit(pending, false);
    }
  }

  // Includes every line that this process is in: the script removes it from lines in which it no longer waits.
  private linesToAsk(freed: { accountId: string }[]): AccountLine[] {
    const first = new Set(freed.map(({ accountId }) => accountId));
    const lines = new Set([...first].map((accountId) => this.line(accountId)));
    for (const line of this.lines.values()) {
      if (lines.size >= ASKED_AT_ONCE) break;
      if (line.waiting.length > 0 || line.isKnown) lines.add(line);
    }
    return [...lines];
  }

  // Round robin over accounts, so that none waits behind another's many calls.
  private offer(lines: AccountLine[]): PendingCall[] {
    const offered: PendingCall[] = [];
    const most = Math.max(lines.length, Math.min(ASKED_AT_ONCE, this.cap ?? ASKED_AT_ONCE));
    for (let round = 0; offered.length < most; round += 1) {
      const before = offered.length;
      for (const { waiting, cap } of lines) {
        if (cap !== null && round >= cap) continue;
        const next = liveAt(waiting, round);
        if (next !== undefined) offered.push(next);
      }
      if (offered.length === before) break;
    }
    return offered;
  }

  private line(accountId: string): AccountLine {
    const known = this.lines.get(accountId);
    if (known !== undefined) return known;
    const line: AccountLine = { id: accountId, cap: null, waiting: [], isKnown: false };
    this.lines.set(accountId, line);
    return line;
  }
}

// The call at an index. Those there that have ended are removed.
function liveAt(waiting: PendingCall[], index: number): PendingCall | undefined {
  let end = index;
  while (waiting[end]?.state === 'ended') end += 1;
  if (end > index) waiting.splice(index, end - index);
  return waiting[index];
}
