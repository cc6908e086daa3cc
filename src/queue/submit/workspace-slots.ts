import type { CallCaps } from '../../directory/accounts.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { slotLineKey, slotsKey, slotWakeChannel } from '../../redis/keys.ts';
import { slotsScript } from '../slots-script.ts';
import type { PendingCall } from './pending-call.ts';
import type { PendingCalls } from './pending-calls.ts';

const ASKED_AT_ONCE = 256;
const POLL_MS = 400;
// A process that waits asks far more often than that.
const GONE_MS = 1_500;
// A worker may notice a little late that a call's time is over.
const LATE_MS = 1_000;
// While Redis is away no more are kept to be given back; they end by themselves.
const FREED_MAX = 10_000;

interface AccountLine {
  id: string;
  cap: number | null;
  waiting: PendingCall[];
  /** Whether Redis knows that this process waits for the account's slots. */
  isKnown: boolean;
}

export interface SlotOptions {
  redis: RedisConnection;
  processName: string;
  /** The caps on an account's calls now; null for none, undefined when there is no such account any more. */
  findCaps(workspaceId: string, accountId: string): Promise<CallCaps | null | undefined>;
  calls: Pick<PendingCalls, 'admit' | 'end' | 'endOrphan'>;
}

/** One workspace's capped calls in this process: those that wait for a slot, and the slots to be given back. */
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

  /** Whether nothing is left here to be done or to be given back. */
  get isIdle(): boolean {
    return this.held === 0 && this.freed.length === 0 && this.asking === null && !this.isWaiting;
  }

  push(pending: PendingCall, caps: CallCaps): void {
    const line = this.line(pending.call.account.id);
    this.cap = caps.workspace;
    line.cap = caps.account;
    line.waiting.push(pending);
    // Behind others there is nothing to ask: whatever frees a slot asks for all.
    if (!line.isKnown) this.schedule();
  }

  /** Gives back the slot of a call that had one. */
  free({ call }: PendingCall): void {
    this.held -= 1;
    this.freed.push({ accountId: call.account.id, callId: call.id });
    this.schedule();
  }

  /** Asks as soon as this turn of the event loop is over, so that what comes with it is asked for together. */
  schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      void this.ask();
    });
  }

  /** Resolves when what is to be given back was given back, or could not be. */
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

  // Finds what was freed by expiry, changed caps, and what a lost wake-up would have told.
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
        // That says nothing of its workspace's cap.
        for (const pending of line.waiting) void this.options.calls.endOrphan(pending);
        return;
      }
      line.cap = caps?.account ?? null;
      this.cap = caps?.workspace ?? null;
    });
    await Promise.allSettled(found);
  }

  private async askOnce(): Promise<void> {
    this.letUncappedGo();
    const freed = this.freed.splice(0);
    const lines = this.linesToAsk(freed);
    if (lines.length === 0) return;
    const indexes = new Map(lines.map(({ id }, index) => [id, index + 1]));
    const offered = this.offer(lines);
    const args = [
      this.options.processName,
      GONE_MS,
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
      // The slots may have been taken although no answer came. One that cannot be given back ends with the time of its call.
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
    for (const line of lines) {
      line.waiting = line.waiting.filter((pending) => !isTaken.has(pending));
      line.isKnown = refused.has(line.id);
      this.lines.delete(line.id);
      if (line.waiting.length === 0) continue;
      // Behind those that were not asked for yet.
      this.lines.set(line.id, line);
      if (!line.isKnown) this.again = true;
    }
    for (const pending of isTaken) {
      this.held += 1;
      if (pending.state === 'ended') this.free(pending);
      else this.options.calls.admit(pending, true);
    }
  }

  private letUncappedGo(): void {
    for (const line of this.lines.values()) {
      line.waiting = line.waiting.filter(({ state }) => state !== 'ended');
      if (this.cap !== null || line.cap !== null) continue;
      for (const pending of line.waiting.splice(0)) this.options.calls.admit(pending, false);
    }
  }

  // Every line in which Redis knows this process has to be named: it leaves those it does not wait in any more.
  private linesToAsk(freed: { accountId: string }[]): AccountLine[] {
    const first = new Set(freed.map(({ accountId }) => accountId));
    const lines = new Set([...first].map((accountId) => this.line(accountId)));
    for (const line of this.lines.values()) {
      if (lines.size >= ASKED_AT_ONCE) break;
      if (line.waiting.length > 0 || line.isKnown) lines.add(line);
    }
    return [...lines];
  }

  // One call of each account in turn, so that none of them waits for another's many.
  private offer(lines: AccountLine[]): PendingCall[] {
    const offered: PendingCall[] = [];
    const most = Math.max(lines.length, Math.min(ASKED_AT_ONCE, this.cap ?? ASKED_AT_ONCE));
    for (let round = 0; offered.length < most; round += 1) {
      const before = offered.length;
      for (const { waiting, cap } of lines) {
        const next = waiting[round];
        if (next !== undefined && (cap === null || round < cap)) offered.push(next);
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
