import { groupBy } from '../../../workers/sandbox/model/common/group-by.ts';
import type { AsyncCall, Cancellation, Truth } from '../history.ts';
import { type Call, hasEnded, nameOf } from './calls.ts';
import type { Violation } from './violation.ts';

/**
 * Async calls: each that was taken in has ended, once, and its answers, its record, the list, the event on the stream and the answer
 * to whoever took it back all say the same of that. Nothing is in the list or on the stream that the other does not know.
 */
export function checkEnds(
  calls: readonly Call[],
  kept: readonly AsyncCall[],
  cancellations: readonly Cancellation[],
  updates: readonly Truth[],
): Violation[] {
  const ids = new Map(kept.filter(({ from }) => from === 'id').map((call) => [call.callId, call]));
  const wanted = new Set(cancellations.map(({ callId }) => callId));
  return [
    ...calls.filter(({ callIds }) => callIds.length > 0).flatMap((call) => checkCall(call, wanted)),
    ...cancellations.flatMap((one) => checkCancellation(one, ids.get(one.callId))),
    ...checkListed(kept, ids, updates),
  ];
}

function checkCall(call: Call, canceled: ReadonlySet<string>): Violation[] {
  const { kept, callIds, kind } = call;
  const say = (rule: Violation['rule'], why: string): Violation => ({
    rule,
    what: `${nameOf(call)}: ${why}`,
  });
  if (callIds.length > 1) return [say('replay', 'it was taken in twice')];
  if (kept === null || kept.status === 'absent') return [say('lost', 'it is not there')];
  if (!hasEnded(kept)) return [say('lost', 'it has not ended')];
  const violations = checkAnswers(call, kept).map(([rule, why]) => say(rule, why));
  if (!mayEndAs(kept, kind === 'wrong', canceled))
    violations.push(say('answer', `it ended with ${kept.code}`));
  return violations;
}

function checkAnswers({ attempts }: Call, kept: AsyncCall): ['replay' | 'wrong-answer', string][] {
  const [first, ...again] = attempts.filter(({ callId }) => callId !== null);
  const different = [first, ...again].filter((attempt) => {
    if (attempt === undefined || attempt.status === 202) return false;
    const { status, code, txid, result } = attempt;
    return status === 200 ? txid !== kept.txid || result !== kept.result : code !== kept.code;
  });
  return [
    ...different.map((): ['wrong-answer', string] => [
      'wrong-answer',
      `it ended with ${kept.code} and txid ${kept.txid}`,
    ]),
    ...again
      .filter(({ replayed }) => replayed === false)
      .map((): ['replay', string] => ['replay', 'not said to be a replay']),
  ];
}

// A call whose worker died every time it was run is given up; nobody else's fault ends one.
function mayEndAs(
  { status, code, callId }: AsyncCall,
  isWrong: boolean,
  canceled: ReadonlySet<string>,
): boolean {
  if (status === 'succeeded') return !isWrong;
  if (status === 'canceled') return canceled.has(callId);
  return status === 'failed' && (code === 'outcome_unknown' || (isWrong && code === 'MESSAGE_ID_INVALID'));
}

function checkCancellation({ callId, status, code }: Cancellation, kept: AsyncCall | undefined): Violation[] {
  const answer = `${callId}: taking it back was answered with ${status} ${code}`;
  if (status === 0 || status >= 500) return [];
  if (status !== 200 && code !== 'call_ended') return [{ rule: 'answer', what: answer }];
  const isRight = (kept?.status === 'canceled') === (status === 200);
  return isRight ? [] : [{ rule: 'ends', what: `${answer}, and it is ${kept?.status}` }];
}

function checkListed(
  kept: readonly AsyncCall[],
  ids: ReadonlyMap<string, AsyncCall>,
  updates: readonly Truth[],
): Violation[] {
  const listed = new Map(kept.filter(({ from }) => from === 'list').map((call) => [call.callId, call]));
  const events = groupBy(
    updates.filter(({ end }) => end !== null),
    ({ end }) => end?.callId ?? '',
  );
  const violations: Violation[] = [];
  const say = (what: string) => violations.push({ rule: 'ends', what });
  for (const [callId, call] of ids) {
    const other = listed.get(callId);
    if (call.status === 'absent') continue;
    if (other === undefined) say(`${callId} is ${call.status} and not in the list`);
    else if (textOf(other) !== textOf(call)) say(`${callId}: ${textOf(call)}; in the list ${textOf(other)}`);
  }
  for (const [callId, call] of listed) {
    const told = events.get(callId) ?? [];
    const said = told.map(({ end, txid }) => (end === null ? '' : textOf({ ...end, txid }))).join(' and ');
    if (said !== textOf(call)) say(`${callId}: ${textOf(call)}; told was ${said || 'nothing'}`);
  }
  for (const callId of events.keys()) {
    if (!listed.has(callId)) say(`${callId} was told of and is not in the list`);
  }
  return violations;
}

function textOf({
  status,
  code,
  txid,
  result,
}: Pick<AsyncCall, 'status' | 'code' | 'txid' | 'result'>): string {
  return `${status} ${code} ${txid} ${result}`.trimEnd();
}
