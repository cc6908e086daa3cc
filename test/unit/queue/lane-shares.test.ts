import { describe, expect, it } from 'vitest';
import { LaneShares, type Tenant } from '../../../src/queue/lane-shares.ts';

const PERMITS = 32;

function tenant(organizationId: string, workspaceId = `${organizationId}-1`, weight = 1): Tenant {
  return { organizationId, workspaceId, weight };
}

/** Takes as many permits as a tenant gets, and gives their number. */
function takeAll(shares: LaneShares<string>, who: Tenant, most = 1_000): number {
  let taken = 0;
  while (taken < most && shares.take(who, `${who.workspaceId} ${taken}`, who.workspaceId)) taken += 1;
  return taken;
}

describe('shares of a lane', () => {
  it('leave a part of the permits to others, whoever holds the rest and however long', () => {
    const shares = new LaneShares<string>(PERMITS);
    const loud = [1, 2, 3].map((each) => takeAll(shares, tenant('loud', `loud-${each}`)));
    expect(loud[0]).toBeGreaterThan(PERMITS / 2);
    expect(shares.held).toBeLessThanOrEqual((PERMITS * 3) / 4);
    expect(takeAll(shares, tenant('quiet'))).toBeGreaterThanOrEqual(4);
  });

  it('give one to each organization that holds none, until there are twice as many as permits', () => {
    const shares = new LaneShares<string>(4);
    const taken = Array.from({ length: 20 }, (_, each) => takeAll(shares, tenant(`org-${each}`), 1));
    expect(taken.filter((count) => count === 1)).toHaveLength(8);
    expect(shares.concurrency).toBe(8);
  });

  it('are the larger the more a workspace weighs', () => {
    const [light, heavy] = [1, 4].map((weight) => {
      const shares = new LaneShares<string>(PERMITS);
      takeAll(shares, tenant('other'));
      return takeAll(shares, tenant('own', 'own', weight));
    });
    expect(heavy).toBeGreaterThan(light as number);
  });

  it('wake what waits in turn, workspace by workspace', () => {
    const shares = new LaneShares<string>(PERMITS);
    const workspaces = [1, 2, 3].map((each) => tenant('loud', `loud-${each}`));
    for (let at = 0; at < 20; at += 1)
      for (const who of workspaces) shares.take(who, `${who.workspaceId} ${at}`, who.workspaceId);
    expect(shares.waiting).toBe(60 - shares.held);
    const woken = new Map<string, number>();
    for (let at = 0; at < 12; at += 1) {
      for (const next of shares.giveBack(workspaces[at % 3] as Tenant)) {
        const who = workspaces.find(({ workspaceId }) => workspaceId === next) as Tenant;
        expect(shares.take(who, `${next} again ${at}`, next)).toBe(true);
        woken.set(next, (woken.get(next) ?? 0) + 1);
      }
    }
    const counts = workspaces.map(({ workspaceId }) => woken.get(workspaceId) ?? 0);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  });

  it('wake more than one where there is room for more', () => {
    const shares = new LaneShares<string>(PERMITS);
    const [one, other] = [tenant('loud', 'loud-1'), tenant('loud', 'loud-2')];
    const held = takeAll(shares, one);
    for (let at = 0; at < 4; at += 1) shares.take(other, `other ${at}`, `other ${at}`);
    for (let at = 0; at < 4; at += 1) shares.take(one, `one ${at}`, `one ${at}`);
    const woken = Array.from({ length: held }, () => shares.giveBack(one)).flat();
    expect(new Set(woken).size).toBe(woken.length);
    expect(shares.waiting).toBe(0);
  });

  it('wake as many as there is room for when permits are added, and take none away that are held', () => {
    const shares = new LaneShares<string>(4);
    const [one, other] = [tenant('one'), tenant('other')];
    for (const who of [one, other])
      for (let at = 0; at < 20; at += 1) shares.take(who, `${at}`, `${who.workspaceId} ${at}`);
    const held = shares.held;
    const woken = shares.resize(PERMITS);
    expect(shares.concurrency).toBe(2 * PERMITS);
    expect(woken.length).toBeGreaterThan(PERMITS / 4);
    for (const next of woken) {
      const [workspaceId = '', at = ''] = next.split(' ');
      expect(shares.take(workspaceId.startsWith('one') ? one : other, at, next)).toBe(true);
    }
    expect(shares.held).toBe(held + woken.length);
    expect(shares.resize(1)).toEqual([]);
    expect(shares.held).toBe(held + woken.length);
    expect(shares.take(one, 'another', 'another')).toBe(false);
  });

  it('forget an item that has got its permit after all', () => {
    const shares = new LaneShares<string>(1);
    const [first, second] = [tenant('a'), tenant('a', 'a-2')];
    expect(shares.take(first, 'one', 'one')).toBe(true);
    expect(shares.take(second, 'two', 'two')).toBe(false);
    expect(shares.isWaiting('a-2', 'two')).toBe(true);
    expect(shares.giveBack(first)).toEqual(['two']);
    expect(shares.isWaiting('a-2', 'two')).toBe(false);
    expect(shares.take(second, 'two', 'two')).toBe(true);
    expect([shares.held, shares.waiting]).toEqual([1, 0]);
  });
});
