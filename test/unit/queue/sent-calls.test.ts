import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PendingCall } from '../../../src/queue/submit/pending-call.ts';
import { SentCalls } from '../../../src/queue/submit/sent-calls.ts';
import { aPendingCall, aSentBatch } from '../../support/queue/pending-calls.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const some = (count: number) => Array.from({ length: count }, () => aPendingCall({ hasPermit: true }));

/** Sends calls now, and says when that was. */
function send(sent: SentCalls, calls: PendingCall[]): number {
  const now = performance.now();
  sent.add({ ...aSentBatch(), calls: [...calls] });
  return now;
}

it('takes a call for stalled once one that was sent half a second later is answered', () => {
  const sent = new SentCalls();
  const [early, later] = [some(3), some(2)];
  const earlyAt = send(sent, early);
  vi.advanceTimersByTime(501);
  const sentAt = send(sent, later);
  sent.noteAnswer(earlyAt);
  expect(sent.takeStalled(performance.now())).toEqual([]);
  sent.noteAnswer(sentAt);
  expect(sent.takeStalled(performance.now())).toEqual(early);
  expect(sent.takeStalled(performance.now())).toEqual([]);
});

it('takes none for stalled where workers are slow and answer in turn', () => {
  const sent = new SentCalls();
  const times = Array.from({ length: 50 }, () => {
    vi.advanceTimersByTime(100);
    return send(sent, some(1));
  });
  vi.advanceTimersByTime(20_000);
  for (const at of times.slice(0, 5)) {
    vi.advanceTimersByTime(400);
    sent.noteAnswer(at);
    expect(sent.takeStalled(performance.now())).toEqual([]);
  }
});

it('lets four at a time go, the oldest first, while nothing at all is answered', () => {
  const sent = new SentCalls();
  vi.advanceTimersByTime(60_000);
  const calls = some(10);
  send(sent, calls);
  vi.advanceTimersByTime(500);
  expect(sent.takeStalled(performance.now())).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(sent.takeStalled(performance.now())).toEqual(calls.slice(0, 4));
  expect(sent.takeStalled(performance.now())).toEqual(calls.slice(4, 8));
});

it('forgets batches that hold no permit any more', () => {
  const sent = new SentCalls();
  vi.advanceTimersByTime(60_000);
  const [answered, waiting] = [some(2), some(1)];
  send(sent, answered);
  send(sent, waiting);
  for (const call of answered) call.hasPermit = false;
  vi.advanceTimersByTime(501);
  expect(sent.takeStalled(performance.now())).toEqual(waiting);
});

it('lets go of answered calls although one of their batch is still open', () => {
  const sent = new SentCalls();
  vi.advanceTimersByTime(60_000);
  const [answered, open] = some(2);
  const batch = { ...aSentBatch(), calls: [answered, open] as PendingCall[] };
  sent.add(batch);
  (answered as { hasPermit: boolean }).hasPermit = false;
  expect(sent.takeStalled(performance.now())).toEqual([]);
  expect(batch.calls).toEqual([open]);
  vi.advanceTimersByTime(501);
  expect(sent.takeStalled(performance.now())).toEqual([open]);
  expect(batch.calls).toEqual([]);
});

it('knows how long answers take lately', () => {
  const sent = new SentCalls();
  for (let n = 0; n < 500; n += 1) {
    const sentAt = performance.now();
    vi.advanceTimersByTime(30);
    sent.noteAnswer(sentAt);
  }
  expect(sent.answerMs).toBeCloseTo(30, 0);
});
