import { describe, expect, it } from 'vitest';
import { checkChurn } from '../../torture/check/check-churn.ts';
import type { Attempt } from '../../torture/history.ts';

function attempt(changes: Partial<Attempt>): Attempt {
  return {
    type: 'attempt',
    ...{ call: 1, attempt: 1, kind: 'send', workspace: 'ws_1', account: 'acc_1', peer: 'acc_2' },
    ...{ text: 'hello', target: null, keyed: true, api: 1, sentAt: 100, doneAt: 110, form: 'sync' },
    ...{ callId: null, bytes: 100, retryAfterMs: 0, status: 200, code: 'ok', txid: 10, replayed: false },
    ...{ result: 'r', messageId: 5, ptsCount: null },
    ...changes,
  };
}

const none = { txid: null, result: '', messageId: null } as const;
const overloaded = { ...none, status: 503, code: 'overloaded' } as const;
const hungUp = { ...none, status: 0, code: 'hung up' } as const;

describe('while workers come and go', () => {
  it('nothing is wrong if calls succeed in time, be it at the second attempt', () => {
    const second = attempt({ attempt: 2, sentAt: 200, doneAt: 5_199.9 });
    expect(checkChurn([attempt({ ...overloaded }), second])).toEqual([]);
  });

  it('a call that failed is too many, unless it had to or its caller hung up', () => {
    const wrong = attempt({ ...none, call: 2, kind: 'wrong', status: 400, code: 'MESSAGE_ID_INVALID' });
    expect(checkChurn([wrong, attempt({ ...hungUp, call: 3 })])).toEqual([]);
    expect(checkChurn([wrong, attempt({ ...overloaded })])).toEqual([
      '1 call failed, though the callers stayed',
    ]);
    const lost = { ...none, status: 502, code: 'outcome_unknown' } as const;
    expect(checkChurn([attempt({ ...lost }), attempt({ ...overloaded, call: 2 })])).toEqual([
      '2 calls failed, though the callers stayed',
    ]);
  });

  it('five seconds are too long for a sync call, but not for one with others', () => {
    expect(checkChurn([attempt({ form: 'bulk', doneAt: 6_000 })])).toEqual([]);
    expect(checkChurn([attempt({ doneAt: 5_100 })])).toEqual([
      'a sync call waited for 5000 ms; 5000 are too many',
    ]);
    const late = attempt({ ...overloaded, doneAt: 7_100 });
    expect(checkChurn([late, attempt({ attempt: 2, sentAt: 8_000, doneAt: 8_010 })])).toEqual([
      'a sync call waited for 7000 ms; 5000 are too many',
    ]);
    expect(checkChurn([attempt({ ...hungUp, doneAt: 7_100 })])).toEqual([]);
  });
});
