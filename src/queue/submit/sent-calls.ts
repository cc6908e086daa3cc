import type { PendingCall } from './pending-call.ts';

// An answer to a call that was sent this much later says that the earlier one is held up.
const OVERTAKEN_MS = 500;

// While nothing is answered, this many calls at a time are sent as probes, to find out when a worker answers again.
const PROBES = 4;

const SMOOTHING = 1 / 64;

/**
 * The calls that are outstanding, oldest first, and which of them something holds up: the job of a worker that died takes
 * seconds to be run again, and must not keep others from being sent. When workers are merely slow no call is held up, however
 * long it takes.
 */
export class SentCalls {
  private batches: { calls: PendingCall[]; at: number }[] = [];
  private newestAnswered = 0;
  private answeredAt = 0;
  private smoothedMs = 0;

  /** How long calls have lately taken from being sent to their answers. */
  get answerMs(): number {
    return this.smoothedMs;
  }

  add(calls: readonly PendingCall[], at: number): void {
    // A copy, of which calls are taken out: whoever sends them needs all of theirs, should it fail.
    this.batches.push({ calls: [...calls], at });
  }

  /** Takes note of an answer to a call that was sent at `sentAt`. */
  noteAnswer(sentAt: number): void {
    if (sentAt > this.newestAnswered) this.newestAnswered = sentAt;
    this.answeredAt = performance.now();
    this.smoothedMs += (this.answeredAt - sentAt - this.smoothedMs) * SMOOTHING;
  }

  /** Takes out the calls that are held up; those that have been answered meanwhile may be among them. */
  takeHeldUp(now: number): PendingCall[] {
    const heldUp: PendingCall[] = [];
    while (this.batches[0] !== undefined && this.batches[0].at < this.newestAnswered - OVERTAKEN_MS)
      heldUp.push(...(this.batches.shift()?.calls ?? []));
    this.batches = this.batches.filter(({ calls }) => calls.some(({ hasPermit }) => hasPermit));
    const [oldest] = this.batches;
    const isSilent = now - this.answeredAt > OVERTAKEN_MS;
    if (oldest !== undefined && isSilent && now - oldest.at > OVERTAKEN_MS)
      heldUp.push(...oldest.calls.splice(0, PROBES));
    return heldUp;
  }
}
