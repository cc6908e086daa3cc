import type { PendingCall, SentBatch } from './pending-call.ts';

// A call is stalled if a call that was sent this much later has been answered.
const OVERTAKEN_MS = 500;

// While nothing is answered, this many calls at a time count as stalled. Those sent in their place are probes: an answer to one shows that
// a worker runs again.
const PROBES = 4;

const SMOOTHING = 1 / 64;

/**
 * The outstanding calls, oldest first; detects which of them are stalled. The job of a dead worker runs again only after seconds, and
 * meanwhile its permits must not keep other calls from being sent. If workers are merely slow, no call counts as stalled, however long it
 * takes.
 */
export class SentCalls {
  private batches: SentBatch[] = [];
  private newestAnswered = 0;
  private answeredAt = 0;
  private smoothedMs = 0;

  /** The recent time from sending a call to its answer (moving average). */
  get answerMs(): number {
    return this.smoothedMs;
  }

  add(batch: SentBatch): void {
    this.batches.push(batch);
  }

  /** Records an answer to a call that was sent at `sentAt`. */
  noteAnswer(sentAt: number): void {
    if (sentAt > this.newestAnswered) this.newestAnswered = sentAt;
    this.answeredAt = performance.now();
    this.smoothedMs += (this.answeredAt - sentAt - this.smoothedMs) * SMOOTHING;
  }

  /** Removes and returns the stalled calls. Calls that have been answered meanwhile may be among them. */
  takeStalled(now: number): PendingCall[] {
    const stalled: PendingCall[] = [];
    while (this.batches[0] !== undefined && this.batches[0].sentAt < this.newestAnswered - OVERTAKEN_MS)
      stalled.push(...(this.batches.shift()?.calls.splice(0) ?? []));
    // One open call must not keep the others of its batch in memory.
    for (const batch of this.batches) batch.calls = batch.calls.filter(({ hasPermit }) => hasPermit);
    this.batches = this.batches.filter(({ calls }) => calls.length > 0);
    const [oldest] = this.batches;
    const isSilent = now - this.answeredAt > OVERTAKEN_MS;
    if (oldest !== undefined && isSilent && now - oldest.sentAt > OVERTAKEN_MS)
      stalled.push(...oldest.calls.splice(0, PROBES));
    return stalled;
  }
}
