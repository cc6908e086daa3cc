import { describe, expect, it } from 'vitest';
import { GroupRecorder } from '../../bench/load/group-recorder.ts';

function openLoopRecorder(deadlineMs?: number): GroupRecorder {
  const recorder = new GroupRecorder({ byArrival: false, withTimeline: true, deadlineMs });
  recorder.begin(1_000);
  recorder.end(2_000);
  return recorder;
}

describe('what the load of the bench counts', () => {
  it('counts the time of a call from when it was due, however late it was sent', () => {
    const recorder = openLoopRecorder();
    recorder.offer(1_000, 1_004, false);
    recorder.record(200, { dueAt: 1_000, sentAt: 1_700 }, 1_705);
    expect(recorder.result()).toMatchObject({ answered: 1, maxMs: 705, longestMs: 5, lagMaxMs: 4, held: 1 });
  });

  it('counts a refusal from when its call was sent', () => {
    const recorder = openLoopRecorder();
    recorder.offer(1_000, 1_000, true);
    recorder.record(503, { dueAt: 1_000, sentAt: 1_040 }, 1_042);
    recorder.record(503, { dueAt: 1_000, sentAt: 1_040, isNew: true }, 1_047);
    expect(recorder.result()).toMatchObject({ answered: 0, failures: { 503: 2 } });
    expect(recorder.result()).toMatchObject({ refusedMaxMs: 7, refusedOpenMaxMs: 2 });
  });

  it('counts a success after the deadline, and calls that nobody answers', () => {
    const recorder = openLoopRecorder(100);
    for (const dueAt of [1_000, 1_200, 1_400]) recorder.offer(dueAt, dueAt, true);
    recorder.record(200, { dueAt: 1_000, sentAt: 1_000 }, 1_100);
    recorder.record(200, { dueAt: 1_200, sentAt: 1_200 }, 1_301);
    expect(recorder.result()).toMatchObject({ answered: 2, tooLate: 1, unanswered: 1 });
  });

  it('leaves out what was due before or after the measurement', () => {
    const recorder = openLoopRecorder();
    for (const dueAt of [999, 2_000]) {
      recorder.offer(dueAt, dueAt, true);
      recorder.record(200, { dueAt, sentAt: dueAt }, dueAt + 1);
    }
    expect(recorder.result()).toMatchObject({ answered: 0, unanswered: 0, timeline: [] });
    expect(recorder.result().p50Ms).toBeNaN();
  });

  it('puts a success into the quarter of a second in which it came, and its call into the one in which it was due', () => {
    const recorder = openLoopRecorder();
    recorder.offer(1_010, 1_010, true);
    recorder.record(200, { dueAt: 1_010, sentAt: 1_010 }, 1_600);
    const { timeline } = recorder.result();
    expect(timeline.map(({ offered, completed }) => [offered, completed])).toEqual([
      [1, 0],
      [0, 0],
      [0, 1],
    ]);
  });
});
