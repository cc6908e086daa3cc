import { groupBy } from '../../../workers/sandbox/model/common/group-by.ts';
import type { Truth } from '../history.ts';
import { type Call, nameOf } from './calls.ts';
import type { Violation } from './violation.ts';

/**
 * Txids: no two calls of a workspace share one, no update carries one of another call, and a call that was sent after another
 * was answered has the higher one.
 */
export function checkTxids(calls: readonly Call[], updates: readonly Truth[]): Violation[] {
  const violations: Violation[] = [];
  const byWorkspace = groupBy(
    calls.filter(({ accepted }) => accepted !== null),
    ({ workspace }) => workspace,
  );
  for (const group of byWorkspace.values()) violations.push(...checkRepeated(group), ...checkRealTime(group));
  return violations.concat(checkShared(calls, updates));
}

function checkRepeated(calls: Call[]): Violation[] {
  const owners = new Map<number, Call>();
  return calls.flatMap((call): Violation[] => {
    const txid = call.accepted?.txid ?? null;
    if (txid === null || !Number.isSafeInteger(txid))
      return [{ rule: 'txid-order', what: `${nameOf(call)}: its txid is ${txid}` }];
    const owner = owners.get(txid);
    owners.set(txid, call);
    return owner ? [{ rule: 'txid-order', what: `txid ${txid}: ${nameOf(owner)} and ${nameOf(call)}` }] : [];
  });
}

function checkRealTime(calls: Call[]): Violation[] {
  const bySent = calls.toSorted((a, b) => firstSent(a) - firstSent(b));
  const byDone = calls.toSorted((a, b) => firstDone(a) - firstDone(b));
  const violations: Violation[] = [];
  let highest: Call | undefined;
  let done = 0;
  for (const call of bySent) {
    for (; done < byDone.length && firstDone(byDone[done] as Call) < firstSent(call); done += 1) {
      const candidate = byDone[done] as Call;
      if (txidOf(candidate) > (highest ? txidOf(highest) : 0)) highest = candidate;
    }
    if (highest && txidOf(call) <= txidOf(highest)) {
      const order = `${nameOf(call)} was sent after ${nameOf(highest)} was answered`;
      violations.push({ rule: 'txid-order', what: `${order}: ${txidOf(call)} after ${txidOf(highest)}` });
    }
  }
  return violations;
}

// All that one commit tells of is of one call, and so of one text: that of the call which was answered with the txid, if one was.
function checkShared(calls: readonly Call[], updates: readonly Truth[]): Violation[] {
  const texts = new Map<string, string | null>();
  for (const { workspace, text, accepted } of calls) {
    if (accepted) texts.set(`${workspace} ${accepted.txid}`, text);
  }
  return updates.flatMap(({ workspace, txid, text }): Violation[] => {
    if (txid === null || text === null) return [];
    const name = `${workspace} ${txid}`;
    const known = texts.get(name);
    const before = known === undefined ? text : known;
    texts.set(name, text);
    return before === text
      ? []
      : [{ rule: 'txid-order', what: `txid ${txid} tells of ${text} and belongs to ${before}` }];
  });
}

function txidOf({ accepted }: Call): number {
  return accepted?.txid ?? 0;
}

function firstSent({ attempts }: Call): number {
  return attempts[0]?.sentAt ?? 0;
}

function firstDone({ accepted }: Call): number {
  return accepted?.doneAt ?? 0;
}
