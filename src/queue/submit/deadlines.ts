import { every, type Repeated } from '../../every.ts';
import type { PendingCall } from './pending-call.ts';

const LOOK_EVERY_MS = 25;

/** Sees to the deadlines of all calls that wait, with one timer: one for each call costs more than to look this often. */
export class Deadlines {
  private readonly waiting: { values(): Iterable<PendingCall> };
  private readonly onOver: (pending: PendingCall) => void;
  /** No call's time is over before; those that have been answered count until it is. */
  private next = Number.POSITIVE_INFINITY;
  private looking: Repeated | undefined;

  /** `onOver` hears of each call once, up to 25 ms after its time is over. */
  constructor(waiting: { values(): Iterable<PendingCall> }, onOver: (pending: PendingCall) => void) {
    this.waiting = waiting;
    this.onOver = onOver;
  }

  start(): void {
    this.looking = every(LOOK_EVERY_MS, () => this.look());
  }

  stop(): void {
    void this.looking?.stop();
  }

  /** Notes the deadline of a call that waits from now on. */
  add({ deadline }: PendingCall): void {
    this.next = Math.min(this.next, deadline);
  }

  private look(): void {
    const now = performance.now();
    if (now < this.next) return;
    this.next = Number.POSITIVE_INFINITY;
    for (const pending of this.waiting.values()) {
      if (pending.deadline <= now) {
        pending.deadline = Number.POSITIVE_INFINITY;
        this.onOver(pending);
      }
      this.add(pending);
    }
  }
}
