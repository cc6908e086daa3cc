import { describe, expect, it } from 'vitest';
import { findFallen, isSuspect, recordFloors } from '../../bench/report/find-fallen.ts';
import { type Finding, poolFindings } from '../../bench/report/finding.ts';

function finding(values: number[], rest: Partial<Finding> = {}): Finding {
  return {
    name: 'reads/usual',
    subject: 'reads',
    text: 'calls/s',
    values,
    unit: '×',
    better: 'higher',
    ...rest,
  };
}

const floors = { 'reads/usual': { ratio: 3, noise: 0.2 } };

describe('a second measurement', () => {
  const lost = finding([0], { name: 'lost', unit: 'calls', better: 'lower', limit: 0 });

  it('is due for a ratio worse than its floor or its limit', () => {
    expect(isSuspect(floors, finding([2.39]))).toBe(true);
    expect(isSuspect({}, finding([2.4], { limit: 2.5 }))).toBe(true);
    expect(isSuspect(floors, finding([2.41]))).toBe(false);
  });

  it('is not due for what no chance explains', () => {
    expect(isSuspect({}, { ...lost, values: [1] })).toBe(false);
  });

  it('counts as much as the first', () => {
    expect(poolFindings([finding([2, 2.1, 3])], [finding([3.1, 3.2, 2.9])])[0]?.values).toEqual([
      2, 2.1, 3, 3.1, 3.2, 2.9,
    ]);
  });

  it('makes up for no answer that was lost', () => {
    expect(poolFindings([{ ...lost, values: [1] }], [lost])[0]?.values).toEqual([1]);
    expect(poolFindings([lost], [{ ...lost, values: [2] }])[0]?.values).toEqual([2]);
  });

  it('leaves what it did not measure', () => {
    expect(poolFindings([lost], [])).toEqual([lost]);
  });
});

describe('the guard of the bench', () => {
  it('lets a ratio pass that is better, the same, or worse within the noise', () => {
    for (const value of [9, 3, 2.41]) expect(findFallen(floors, [finding([value])])).toEqual([]);
  });

  it('fails a ratio that has fallen by more than the noise', () => {
    expect(findFallen(floors, [finding([2.39])])).toEqual(['reads/usual is 2.39; it was 3.00 ± 20 %']);
  });

  it('fails a ratio that has risen where less is better', () => {
    expect(findFallen(floors, [finding([3.59], { better: 'lower' })])).toEqual([]);
    expect(findFallen(floors, [finding([3.61], { better: 'lower' })])).toHaveLength(1);
  });

  it('judges by the median of the rounds', () => {
    expect(findFallen(floors, [finding([0.1, 3, 3.1])])).toEqual([]);
    expect(findFallen(floors, [finding([0.1, 2, 9])])).toHaveLength(1);
  });

  it('fails a ratio that could not be measured', () => {
    expect(findFallen(floors, [finding([Number.NaN])])).toHaveLength(1);
    expect(findFallen(floors, [finding([])])).toHaveLength(1);
  });

  it('says nothing of what was not measured, or has no floor beside others that have', () => {
    expect(findFallen(floors, [])).toEqual([]);
    expect(findFallen(floors, [finding([3]), finding([0.1], { name: 'new/usual' })])).toEqual([]);
  });

  it('fails when no ratio has a floor, as nothing is guarded then', () => {
    expect(findFallen({}, [finding([3])])).toEqual([
      'no ratio that was measured has a floor; --record writes them',
    ]);
  });

  it('fails what is beyond its limit, whatever was recorded', () => {
    const late = finding([1], { name: 'late', unit: 'calls', better: 'lower', limit: 0 });
    expect(findFallen({}, [late])).toEqual(['late is 1.00 calls; the limit is 0']);
    expect(findFallen({}, [{ ...late, values: [0] }])).toEqual([]);
  });
});

describe('recording floors', () => {
  it('records ratios alone, with twice the spread as noise but between 15 and 50 %', () => {
    const recorded = recordFloors({}, [
      finding([2, 3, 4]),
      finding([5, 5.1, 5.2], { name: 'calm' }),
      finding([7], { name: 'slow', unit: 'ms' }),
    ]);
    expect(recorded).toEqual({
      'reads/usual': { ratio: 3, noise: 0.5 },
      calm: { ratio: 5.1, noise: 0.15 },
    });
  });

  it('keeps the floors of what was not measured, and lets pass what it has recorded', () => {
    const findings = [finding([2, 3, 4], { name: 'sends/usual' })];
    const recorded = recordFloors(floors, findings);
    expect(recorded['reads/usual']).toEqual(floors['reads/usual']);
    expect(findFallen(recorded, findings)).toEqual([]);
  });
});
