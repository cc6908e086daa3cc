import { describe, expect, it } from 'vitest';
import { Backlog } from '../../../src/queue/backlog.ts';

const LIMITS = { calls: 256, bytes: 1_000_000, window: 256 };

function aBacklog(counts: Record<string, number>, bytes = 100) {
  const backlog = new Backlog<{
    workspaceId: string;
    bytes: number;
    n: number;
  }>();
  for (const [workspaceId, count] of Object.entries(counts)) {
    for (let n = 0; n < count; n += 1) backlog.push({ workspaceId, bytes, n });
  }
  return backlog;
}

describe('Backlog', () => {
  it('serves workspaces in turn whatever their backlog, each in its own order', () => {
    const taken = aBacklog({ loud: 1_000, quiet: 2 }).take({
      ...LIMITS,
      calls: 6,
    });
    expect(taken.map(({ workspaceId, n }) => `${workspaceId}${n}`)).toEqual([
      'loud0',
      'quiet0',
      'loud1',
      'quiet1',
      'loud2',
      'loud3',
    ]);
  });

  it('gives a lone workspace the whole window', () => {
    expect(aBacklog({ lone: 1_000 }).take(LIMITS)).toHaveLength(256);
  });

  it('holds each workspace to its share while others are active, and frees places on release', () => {
    const backlog = aBacklog({ a: 1_000, b: 1_000 });
    expect(backlog.take(LIMITS)).toHaveLength(256);
    expect(backlog.take(LIMITS)).toHaveLength(0);
    backlog.release('a');
    backlog.release('b');
    expect(backlog.take(LIMITS).map(({ workspaceId }) => workspaceId)).toEqual(['a', 'b']);
  });

  it('stops before the bytes are too many, but always takes one', () => {
    const backlog = aBacklog({ a: 10 }, 400);
    expect(backlog.take({ ...LIMITS, bytes: 1_000 })).toHaveLength(2);
    expect(backlog.take({ ...LIMITS, bytes: 10 })).toHaveLength(1);
    expect(backlog.size).toBe(7);
  });

  it('forgets a workspace that has nothing left', () => {
    const backlog = aBacklog({ a: 1 });
    backlog.take(LIMITS);
    backlog.release('a');
    backlog.push({ workspaceId: 'b', bytes: 1, n: 0 });
    for (let n = 0; n < 300; n += 1) backlog.push({ workspaceId: 'b', bytes: 1, n });
    expect(backlog.take(LIMITS)).toHaveLength(256);
  });
});
