import type { CallCaps } from '../../directory/accounts.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { slotLineKey, slotsKey, slotWakeChannel } from '../../redis/keys.ts';
import { ACCOUNT_FULL, slotsScript, TAKEN } from '../slots-script.ts';
import { type AccountLine, offer } from './account-line.ts';
import type { PendingCall } from './pending-call.ts';
import type { PendingCalls } from './pending-calls.ts';

// Each takes time of Redis, and others wait meanwhile.
const ACCOUNTS_AT_ONCE = 256;
// Of those whose turn it is. Mostly one slot is free; if more are, the next are asked for at once.
const TURNS_AT_ONCE = 16;
const POLL_MS = 400;
// A worker may notice the end of a call's time a little late.
const LATE_MS = 1_000;
// To look at all waiting calls takes too long for each question.
const LOOK_AT_ALL_MS = 400;
// While Redis is away, no more than this many slots are remembered to be given back. Others expire.
const FREED_MAX = 10_000;

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
  /** In the order of their turns: whichever got a slot goes to the end. */
  private readonly lines = new Map<string, AccountLine>();
  /** Accounts that may have room again, as was learned since Redis was last asked. */
  private readonly roomy = new Set<string>();
  /** Whether the workspace's cap left no room at the last question. Then this process is in the workspace's line in Redis. */
  private isFull = false;
  private toPoll: string[] = [];
  private cap: number | null = null;
  private freed: { accountId: string; callId: string }[] = [];
  private held = 0;
  private asking: Promise<void> | null = null;
  private again = false;
  private scheduled = false;
  private lookedAt = Number.NEGATIVE_INFINITY;
  private pollTimer: NodeJS.Timeout | undefined;

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
    // Else this process is in that line: it asks when it hears of a free slot.
    if (!line.isFull && !this.isFull) this.schedule();
  }

  /** Gives back a call's slot. */
  free({ call }: PendingCall): void {
    this.held -= 1;
    this.freed.push({ accountId: call.account.id, callId: call.id });
    this.wake(call.account.id);
  }

  /** Asks because a slot is free: of an account, or of the workspace. */
  wake(accountId?: string): void {
    if (accountId !== undefined) this.roomy.add(accountId);
    this.schedule();
  }

  /** Finds slots freed by expiry, changed caps, and slots whose wake-up was lost. Of many accounts it looks at some each time, by turns. */
  async poll(): Promise<void> {
    if (this.toPoll.length === 0) this.toPoll = [...this.lines.keys()];
    const polled = this.toPoll.splice(0, ACCOUNTS_AT_ONCE);
    await Promise.allSettled(polled.map((accountId) => this.refreshCaps(accountId)));
    for (const accountId of polled) if (this.lines.get(accountId)?.isFull) this.roomy.add(accountId);
    await this.ask();
  }

  /** Resolves once the freed slots were given back, or could not be. */
  async close(): Promise<void> {
    await this.ask();
    clearTimeout(this.pollTimer);
    this.pollTimer = undefined;
  }

  // Asks at the end of this turn of the event loop, once for all calls of the turn.
  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      void this.ask();
    });
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
    if (this.lines.size > 0 || this.freed.length > 0) this.pollLater();
  }

  // However often it asks meanwhile: that leaves out accounts that had no room.
  private pollLater(): void {
    this.pollTimer ??= setTimeout(
      () => {
        this.pollTimer = undefined;
        void this.poll();
      },
      POLL_MS * (0.5 + Math.random() / 2),
    );
    this.pollTimer.unref();
  }

  private async refreshCaps(accountId: string): Promise<void> {
    const caps = await this.options.findCaps(this.id, accountId);
    const line = this.lines.get(accountId);
    if (line === undefined) return;
    if (caps === undefined) {
      // The account no longer exists. This says nothing about its workspace's cap.
      for (const pending of line.waiting) void this.options.calls.endOrphan(pending);
      return;
    }
    line.cap = caps?.account ?? null;
    this.cap = caps?.workspace ?? null;
  }

  private async askOnce(): Promise<void> {
    this.removeEnded();
    this.letUncappedGo();
    const freed = this.freed.splice(0, ACCOUNTS_AT_ONCE - TURNS_AT_ONCE);
    const lines = this.linesToAsk(freed);
    if (lines.length === 0) return;
    const indexes = new Map(lines.map(({ id }, index) => [id, index + 1]));
    const offered = offer(lines, TURNS_AT_ONCE);
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
        Math.max(call.acceptedAt, this.line(call.account.id).servedAt),
        call.notAfter + LATE_MS,
      ]),
    ];
    const keys = [undefined, ...lines.map(({ id }) => id)].flatMap((accountId) => [
      slotsKey(this.id, accountId),
      slotLineKey(this.id, accountId),
    ]);
    try {
      const results = await slotsScript.run(this.options.redis, [this.channel, ...keys], args);
      this.conclude(lines, offered, results as number[]);
    } catch {
      // The slots may have been taken although no answer came. A slot that cannot be given back expires with its call's time.
      const maybeTaken = offered.map(({ call }) => ({ accountId: call.account.id, callId: call.id }));
      if (this.freed.length < FREED_MAX) this.freed.push(...freed, ...maybeTaken);
      for (const pending of offered) void this.options.calls.end(pending, 'unavailable');
    }
  }

  private conclude(lines: AccountLine[], offered: PendingCall[], results: number[]): void {
    const isTaken = new Set(offered.filter((_, index) => results[index] === TAKEN));
    // By account, what was said of its first call that got no slot.
    const refusals = new Map<string, number>();
    const asked = new Map<string, number>();
    for (const [index, pending] of offered.entries()) {
      const { id } = pending.call.account;
      asked.set(id, (asked.get(id) ?? 0) + 1);
      if (!isTaken.has(pending) && !refusals.has(id)) refusals.set(id, results[index] as number);
    }
    for (const line of lines) {
      // What was offered is still at the head of the line.
      const head = line.waiting.slice(0, asked.get(line.id) ?? 0);
      line.waiting.splice(0, head.length, ...head.filter((pending) => !isTaken.has(pending)));
      line.isFull = refusals.get(line.id) === ACCOUNT_FULL;
      if (line.waiting.length === 0) this.lines.delete(line.id);
    }
    for (const pending of isTaken) {
      this.held += 1;
      if (pending.state === 'ended') {
        this.free(pending);
        continue;
      }
      this.options.calls.admit(pending, true);
      this.moveToEnd(pending);
    }
    this.isFull = [...refusals.values()].some((refusal) => refusal !== ACCOUNT_FULL);
    this.again ||= this.freed.length > 0 || this.roomy.size > 0 || (!this.isFull && this.someHaveRoom());
  }

  private moveToEnd({ call }: PendingCall): void {
    const line = this.lines.get(call.account.id);
    if (line === undefined) return;
    line.servedAt = call.queuedAt ?? line.servedAt;
    this.lines.delete(line.id);
    this.lines.set(line.id, line);
  }

  private someHaveRoom(): boolean {
    for (const { isFull } of this.lines.values()) if (!isFull) return true;
    return false;
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

  // Those whose turn it is, those that may have room again, and those of the freed slots. Also lines in which no call waits any more: the
  // script takes this process out of them.
  private linesToAsk(freed: { accountId: string }[]): AccountLine[] {
    const asked = new Set<AccountLine>();
    for (const line of this.lines.values()) {
      if (asked.size >= TURNS_AT_ONCE) break;
      if (!line.isFull || this.roomy.has(line.id)) asked.add(line);
    }
    for (const { accountId } of freed) asked.add(this.line(accountId));
    for (const accountId of this.roomy) {
      if (asked.size >= ACCOUNTS_AT_ONCE) break;
      this.roomy.delete(accountId);
      const line = this.lines.get(accountId);
      if (line !== undefined) asked.add(line);
    }
    return [...asked];
  }

  private line(accountId: string): AccountLine {
    const known = this.lines.get(accountId);
    if (known !== undefined) return known;
    const line: AccountLine = { id: accountId, cap: null, waiting: [], servedAt: 0, isFull: false };
    this.lines.set(accountId, line);
    return line;
  }
}
