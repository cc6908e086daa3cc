import { describe, expect, it } from 'vitest';
import { toCalls } from '../../torture/check/calls.ts';
import { checkHistory } from '../../torture/check/check-history.ts';
import type { Rule } from '../../torture/check/violation.ts';
import type { AsyncCall, Attempt, Entry, Truth } from '../../torture/history.ts';

const WS = 'ws_1';
const ada = { type: 'account', workspace: WS, account: 'acc_ada', userId: 1 } as const;
const bob = { type: 'account', workspace: WS, account: 'acc_bob', userId: 2 } as const;

function attempt(changes: Partial<Attempt>): Attempt {
  return {
    type: 'attempt',
    ...{ call: 1, attempt: 1, kind: 'send', workspace: WS, account: ada.account, peer: bob.account },
    ...{
      text: 'hello',
      target: null,
      keyed: true,
      api: 1,
      sentAt: 100,
      doneAt: 110,
      form: 'sync',
      callId: null,
      bytes: 100,
      retryAfterMs: 0,
    },
    ...{ status: 200, code: 'ok', txid: 10, replayed: false, result: 'r', messageId: 5, ptsCount: null },
    ...changes,
  };
}

function update(changes: Partial<Truth>): Truth {
  const { txid = 10, account = ada.account } = changes;
  const index = account === ada.account ? 1 : 2;
  return {
    type: 'update',
    ...{ workspace: WS, offset: `${String(txid).padStart(4, '0')}_${index}`, kind: 'RawUpdateNewMessage' },
    ...{ digest: `${txid}/${index}`, account, txid, pts: (txid ?? 0) * 10, ptsCount: 1, text: 'hello' },
    ...{ messageId: index === 1 ? 5 : 7, peerUserId: index === 1 ? 2 : 1, heard: [], end: null },
    ...changes,
  };
}

/** Both updates of a message, as the stream has them and as the follower got them, and both copies. */
function delivered(txid = 10, text = 'hello', ids = [5, 7] as [number, number]): Entry[] {
  const own = update({ txid, text, messageId: ids[0] });
  const other = update({ txid, text, account: bob.account, messageId: ids[1] });
  return [
    ...[own, other].flatMap((one) => [one, seen(one)]),
    { type: 'message', workspace: WS, account: ada.account, id: ids[0], text },
    { type: 'message', workspace: WS, account: bob.account, id: ids[1], text },
  ];
}

function seen({ workspace, offset, digest }: Truth): Entry {
  return { type: 'seen', workspace, offset, digest };
}

function rulesBroken(...history: Entry[]): Rule[] {
  return [...new Set(checkHistory([ada, bob, ...history]).map(({ rule }) => rule))].sort();
}

const disturbance = { type: 'chaos', kind: 'kill-worker', target: 'worker-1', from: 90, until: 95 } as const;
const unknown = { status: 502, code: 'outcome_unknown', txid: null, messageId: null } as const;
const timedOut = { status: 504, code: 'call_timeout', txid: null, messageId: null } as const;
const lost = { status: 0, code: 'lost', txid: null, messageId: null } as const;

describe('messages', () => {
  it('finds nothing wrong with a call that was accepted and did what it should', () => {
    expect(rulesBroken(attempt({}), ...delivered())).toEqual([]);
  });

  it('finds an accepted call without its effect', () => {
    expect(rulesBroken(attempt({}))).toEqual(['lost']);
  });

  it('finds an accepted call of which only one account was told', () => {
    const own = update({});
    expect(rulesBroken(attempt({}), own, seen(own))).toContain('lost');
  });

  it('lets a call of unknown outcome have its effect or not, but not by half', () => {
    expect(rulesBroken(attempt(lost))).toEqual([]);
    expect(rulesBroken(attempt(lost), ...delivered())).toEqual([]);
    const own = update({});
    expect(rulesBroken(attempt(lost), own, seen(own))).toContain('half');
  });

  it('finds an effect that is there twice, over several attempts too', () => {
    const twice = [...delivered(), ...delivered(11, 'hello', [6, 8])];
    const first = attempt(lost);
    expect(rulesBroken(first, attempt({ attempt: 2, txid: 11, messageId: 6 }), ...twice)).toContain('twice');
  });

  it('finds an effect of a call whose every answer said that it did not run', () => {
    expect(rulesBroken(attempt(timedOut), ...delivered())).toEqual(['not-run']);
    const busy = { status: 409, code: 'call_in_flight', txid: null, messageId: null } as const;
    expect(rulesBroken(attempt(timedOut), attempt({ attempt: 2, ...busy }), ...delivered())).toEqual([
      'not-run',
    ]);
    expect(rulesBroken(attempt(lost), attempt({ attempt: 2, ...timedOut }), ...delivered())).toEqual([]);
  });

  it('finds an answer with another txid or message id than the effect', () => {
    expect(rulesBroken(attempt({ txid: 9 }), ...delivered())).toEqual(['wrong-answer']);
    expect(rulesBroken(attempt({ messageId: 6 }), ...delivered())).toEqual(['wrong-answer']);
  });
});

describe('reads', () => {
  const voice = attempt({ kind: 'voice', account: ada.account, peer: bob.account });
  const reading = { call: 2, kind: 'read', account: bob.account, peer: ada.account, text: null } as const;
  const read = attempt({
    ...reading,
    target: 7,
    txid: 12,
    sentAt: 120,
    doneAt: 130,
    messageId: null,
    ptsCount: 1,
  });
  const heard = update({ txid: 12, kind: 'RawUpdateReadMessagesContents', text: null, heard: [5] });

  it('finds nothing wrong with a message heard once', () => {
    expect(rulesBroken(voice, ...delivered(), read, heard, seen(heard))).toEqual([]);
    const again = attempt({ ...read, call: 3, txid: 13, sentAt: 140, doneAt: 150, ptsCount: 0 });
    expect(rulesBroken(voice, ...delivered(), read, again, heard, seen(heard))).toEqual([]);
  });

  it('finds a sender who was not told, or told twice, or told of what did not run', () => {
    expect(rulesBroken(voice, ...delivered(), read)).toEqual(['lost']);
    const more = update({ ...heard, txid: 14, offset: '0014_1', digest: 'x', pts: 140 });
    expect(rulesBroken(voice, ...delivered(), read, heard, seen(heard), more, seen(more))).toEqual(['twice']);
    const late = attempt({ ...read, ...timedOut, ptsCount: null });
    expect(rulesBroken(voice, ...delivered(), late, heard, seen(heard))).toEqual(['not-run']);
  });

  it('finds two answers that both say that they heard it', () => {
    const again = attempt({ ...read, call: 3, txid: 13, sentAt: 140, doneAt: 150 });
    expect(rulesBroken(voice, ...delivered(), read, again, heard, seen(heard))).toEqual(['wrong-answer']);
  });
});

describe('streams', () => {
  const [own, ownSeen, other, otherSeen, ...boxes] = delivered() as [
    Truth,
    Entry,
    Truth,
    Entry,
    Entry,
    Entry,
  ];

  it('finds an update that a follower did not get', () => {
    expect(rulesBroken(attempt({}), own, other, ownSeen, ...boxes)).toEqual(['updates-missing']);
  });

  it('finds an update that a follower got twice, or too early', () => {
    const all = [attempt({}), own, other, ...boxes];
    expect(rulesBroken(...all, ownSeen, otherSeen, otherSeen)).toEqual(['updates-doubled']);
    expect(rulesBroken(...all, otherSeen, ownSeen)).toEqual(['updates-doubled']);
  });

  it('finds an update that a follower got and nobody knows of, or knows otherwise', () => {
    const all = [attempt({}), own, other, ...boxes, ownSeen];
    expect(rulesBroken(...all, { ...otherSeen, digest: 'other' } as Entry)).toEqual(['updates-missing']);
    const foreign = { ...otherSeen, offset: '0011_1' } as Entry;
    expect(rulesBroken(...all, otherSeen, foreign)).toEqual(['updates-missing']);
  });

  it('finds a message that no update told of, or told otherwise, or that is gone', () => {
    const extra: Entry = { type: 'message', workspace: WS, account: ada.account, id: 99, text: 'x' };
    expect(rulesBroken(attempt({}), ...delivered(), extra)).toEqual(['updates-fold']);
    expect(rulesBroken(attempt({}), own, ownSeen, other, otherSeen, boxes[0])).toEqual(['updates-fold']);
    const changed = { ...boxes[1], text: 'changed' } as Entry;
    expect(rulesBroken(attempt({}), own, ownSeen, other, otherSeen, boxes[0], changed)).toEqual([
      'updates-fold',
    ]);
  });

  it('finds offsets and pts that do not rise', () => {
    const early = update({ offset: '0001_1', digest: 'e', txid: 1, text: null, messageId: null, pts: 99 });
    expect(rulesBroken(attempt({}), ...delivered(), early)).toEqual(['pts', 'txid-order', 'updates-missing']);
  });
});

describe('async calls', () => {
  const callId = 'call_1';
  const none = { txid: null, result: '', messageId: null, ptsCount: null };
  const accepted = attempt({ form: 'async', status: 202, ...none, callId });
  const result = { txid: 10, result: 'r', messageId: 5, ptsCount: null };
  const failed = { ...none, txid: 10, status: 'failed', code: 'outcome_unknown' };

  function kept(changes: Partial<AsyncCall> = {}, from: AsyncCall['from'] = 'id'): AsyncCall {
    const base = {
      type: 'kept',
      workspace: WS,
      callId,
      from,
      status: 'succeeded',
      code: 'ok',
      at: 900,
    } as const;
    return { ...base, ...result, ...changes };
  }

  function ended(changes: Partial<AsyncCall> = {}, offset = '0010_3'): Entry[] {
    const { status, code, result: end, txid } = kept(changes);
    const event = update({
      ...{ kind: `call.${status === 'succeeded' ? status : 'failed'}`, offset, digest: offset, txid },
      ...{ pts: null, ptsCount: null, text: null, messageId: null, peerUserId: null },
      end: { callId, status, code, result: end },
    });
    return [event, seen(event)];
  }

  function stands(changes: Partial<AsyncCall> = {}): Entry[] {
    return [kept(changes), kept(changes, 'list'), ...ended(changes)];
  }

  it('finds nothing wrong with one that was taken in and did what it should', () => {
    expect(rulesBroken(accepted, ...delivered(), ...stands())).toEqual([]);
    const answered = attempt({ form: 'async', callId });
    expect(rulesBroken(answered, ...delivered(), ...stands())).toEqual([]);
    const gaveUp = attempt({ form: 'async', status: 502, code: 'outcome_unknown', ...none, callId });
    expect(rulesBroken(gaveUp, ...stands(failed))).toEqual([]);
  });

  it('finds one that is gone, or has not ended, or has no effect, or two', () => {
    expect(rulesBroken(accepted)).toEqual(['lost']);
    expect(rulesBroken(accepted, kept({ ...none, status: 'absent', code: 'not_found' }))).toEqual(['lost']);
    const open = { ...none, status: 'running' };
    expect(rulesBroken(accepted, kept(open), kept(open, 'list'))).toContain('lost');
    expect(rulesBroken(accepted, ...stands())).toEqual(['lost']);
    const twice = delivered(11, 'hello', [6, 8]);
    expect(rulesBroken(accepted, ...delivered(), ...stands(), ...twice)).toContain('twice');
  });

  it('finds one that failed and took effect all the same', () => {
    expect(rulesBroken(accepted, ...delivered(), ...stands(failed))).toEqual(['not-run']);
  });

  it('finds one that ended as it had no reason to', () => {
    expect(rulesBroken(accepted, ...stands({ ...failed, code: 'internal' }))).toEqual(['answer']);
    expect(rulesBroken(accepted, ...stands({ ...failed, status: 'canceled', code: 'canceled' }))).toEqual([
      'answer',
    ]);
    const wrong = { ...accepted, kind: 'wrong' } as const;
    expect(rulesBroken(wrong, ...stands({ ...failed, code: 'MESSAGE_ID_INVALID' }))).toEqual([]);
    expect(rulesBroken(accepted, ...stands({ ...failed, code: 'MESSAGE_ID_INVALID' }))).toEqual(['answer']);
  });

  it('tells one that failed as it had to from one that was given up', () => {
    const outcomeOf = (call: Attempt, code: string) => toCalls([call, kept({ ...failed, code })])[0]?.outcome;
    expect(outcomeOf({ ...accepted, kind: 'wrong' }, 'MESSAGE_ID_INVALID')).toBe('refused');
    expect(outcomeOf({ ...accepted, kind: 'wrong' }, 'outcome_unknown')).toBe('not run');
    expect(outcomeOf(accepted, 'outcome_unknown')).toBe('not run');
  });

  it('finds an end that was not told, told twice, or told otherwise', () => {
    const all = [accepted, ...delivered(), kept(), kept({}, 'list')];
    expect(rulesBroken(...all)).toEqual(['ends']);
    expect(rulesBroken(...all, ...ended(), ...ended({}, '0010_4'))).toEqual(['ends']);
    expect(rulesBroken(...all, ...ended({ ...failed, txid: 10 }))).toEqual(['ends']);
    expect(rulesBroken(...all, ...ended({ txid: 11 }, '0011_1'))).toEqual(['ends']);
    expect(rulesBroken(...all, ...ended({ result: 'other' }))).toEqual(['ends']);
  });

  it('finds a list that shows it otherwise, or does not show it', () => {
    const all = [accepted, ...delivered(), kept(), ...ended()];
    expect(rulesBroken(...all)).toEqual(['ends']);
    expect(rulesBroken(...all, kept({ ...none, status: 'queued' }, 'list'))).toEqual(['ends']);
    expect(rulesBroken(...ended())).toEqual(['ends']);
  });

  it('finds an answer that differs from how it stands, and a key that was taken for two calls', () => {
    const told = { form: 'async', callId } as const;
    expect(rulesBroken(attempt({ ...told, txid: 9 }), ...delivered(), ...stands())).toEqual(['wrong-answer']);
    const refused = attempt({ ...told, ...none, status: 409, code: 'canceled' });
    expect(rulesBroken(refused, ...delivered(), ...stands())).toEqual(['wrong-answer']);
    const again = { ...accepted, attempt: 2, sentAt: 120, doneAt: 121 };
    expect(rulesBroken(accepted, again, ...delivered(), ...stands())).toEqual(['replay']);
    expect(rulesBroken(accepted, { ...again, replayed: true }, ...delivered(), ...stands())).toEqual([]);
    expect(rulesBroken(accepted, { ...again, callId: 'call_2' }, ...delivered(), ...stands())).toEqual([
      'replay',
    ]);
  });

  it('finds one that was taken back and ran all the same, or was not and ended so', () => {
    const canceled = { ...none, txid: 10, status: 'canceled', code: 'canceled' };
    const taken = (status: number, code: string): Entry => ({ type: 'cancellation', callId, status, code });
    expect(rulesBroken(accepted, ...stands(canceled), taken(200, 'ok'))).toEqual([]);
    expect(rulesBroken(accepted, ...delivered(), ...stands(canceled), taken(200, 'ok'))).toEqual(['not-run']);
    expect(rulesBroken(accepted, ...delivered(), ...stands(), taken(409, 'call_ended'))).toEqual([]);
    expect(rulesBroken(accepted, ...delivered(), ...stands(), taken(200, 'ok'))).toEqual(['ends']);
    expect(rulesBroken(accepted, ...stands(canceled), taken(409, 'call_ended'))).toEqual(['ends']);
    expect(rulesBroken(accepted, ...delivered(), ...stands(), taken(404, 'not_found'))).toEqual(['answer']);
  });

  it('lets one that may have been taken in have its effect or not, and no more', () => {
    const unheard = attempt({ ...lost, ...none, form: 'async' });
    expect(rulesBroken(unheard)).toEqual([]);
    expect(rulesBroken(unheard, ...delivered(), kept({}, 'list'), ...ended())).toEqual([]);
    const open = attempt({ ...none, form: 'async', status: 503, code: 'unavailable' });
    expect(rulesBroken(open, ...delivered(), kept({}, 'list'), ...ended())).toEqual([]);
    const away = { ...open, keyed: false };
    expect(rulesBroken(away, ...delivered(), kept({}, 'list'), ...ended())).toEqual(['not-run']);
  });
});

describe('txids', () => {
  it('finds one that was answered to a call and tells of another', () => {
    const look = attempt({ call: 2, kind: 'look', text: null, messageId: null });
    expect(rulesBroken(attempt(lost), ...delivered(), look)).toEqual(['txid-order']);
  });

  const look = { kind: 'look', text: null, messageId: null } as const;

  it('finds one that two calls share', () => {
    const two = [attempt({ ...look, call: 1 }), attempt({ ...look, call: 2 })];
    expect(rulesBroken(...two)).toEqual(['txid-order']);
  });

  it('finds a call that was sent after another was answered and has the lower one', () => {
    const first = attempt({ ...look, call: 1, txid: 20, sentAt: 1, doneAt: 2 });
    const later = attempt({ ...look, call: 2, txid: 19, sentAt: 3, doneAt: 4 });
    expect(rulesBroken(first, later)).toEqual(['txid-order']);
    expect(rulesBroken(first, { ...later, sentAt: 1.5 })).toEqual([]);
  });

  it('finds one that is no whole number', () => {
    expect(rulesBroken(attempt({ ...look, txid: null }))).toEqual(['txid-order']);
    expect(rulesBroken(attempt({ ...look, txid: 2 ** 53 }))).toEqual(['txid-order']);
  });
});

describe('answers', () => {
  it('finds an unknown outcome only where nothing caused it', () => {
    expect(rulesBroken(attempt(unknown), disturbance)).toEqual([]);
    expect(rulesBroken(attempt(unknown))).toEqual(['unknown']);
    expect(rulesBroken(attempt({ ...unknown, sentAt: 60_000, doneAt: 61_000 }), disturbance)).toEqual([
      'unknown',
    ]);
  });

  it('lets a large read run again, but not say then that it is a replay', () => {
    const first = attempt({ kind: 'look', text: null, messageId: null, bytes: 5_000 });
    const again = { ...first, attempt: 2, sentAt: 120, doneAt: 121, txid: 11, bytes: 4_000 };
    expect(rulesBroken(first, again)).toEqual([]);
    expect(rulesBroken(first, { ...again, replayed: true })).toEqual(['replay']);
    const kept = { ...again, attempt: 3, sentAt: 130, doneAt: 131 };
    expect(rulesBroken(first, again, { ...kept, replayed: true })).toEqual([]);
    expect(rulesBroken(first, again, { ...kept, txid: 12 })).toEqual(['replay']);
  });

  it('finds a replay with another txid or result, or that does not say what it is', () => {
    const again = { attempt: 2, sentAt: 120, doneAt: 121, replayed: true };
    expect(rulesBroken(attempt({}), attempt(again), ...delivered())).toEqual([]);
    for (const change of [{ txid: 11 }, { result: 'other' }, { replayed: false }]) {
      expect(rulesBroken(attempt({}), attempt({ ...again, ...change }), ...delivered())).toEqual(['replay']);
    }
  });

  it('finds failures that no disturbance explains, and requests without any answer', () => {
    const internal = attempt({ ...unknown, status: 500, code: 'internal' });
    expect(rulesBroken(internal, disturbance)).toEqual(['answer']);
    const duplicate = attempt({ ...unknown, status: 409, code: 'RANDOM_ID_DUPLICATE' });
    expect(rulesBroken(duplicate, disturbance)).toEqual(['answer']);
    expect(rulesBroken(attempt({ ...lost, code: 'unanswered' }))).toEqual(['hung']);
  });

  it('finds what processes said', () => {
    const incident = { type: 'incident', process: 'worker-1', at: 1, what: 'unhandled rejection' } as const;
    expect(rulesBroken(incident)).toEqual(['process']);
  });
});
