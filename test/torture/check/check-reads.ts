import { groupBy } from '../../../workers/sandbox/model/common/group-by.ts';
import type { Truth } from '../history.ts';
import { type Call, nameOf } from './calls.ts';
import type { Violation } from './violation.ts';

/**
 * Holds calls that hear a voice message against what its sender was told: once if any of them was accepted, never if none can
 * have run; and exactly one of the answers says that it changed something.
 */
export function checkReads(calls: readonly Call[], updates: readonly Truth[]): Violation[] {
  const told = new Map<string, number>();
  for (const { kind, account, heard } of updates) {
    if (kind !== 'RawUpdateReadMessagesContents') continue;
    for (const id of heard) told.set(`${account} ${id}`, (told.get(`${account} ${id}`) ?? 0) + 1);
  }
  const twice = [...told]
    .filter(([, times]) => times > 1)
    .map(
      ([message, times]): Violation => ({ rule: 'twice', what: `message ${message}: heard ${times} times` }),
    );
  const findSent = mapToSent(updates);
  const groups = groupBy(
    calls.filter((call) => call.kind === 'read'),
    ({ account, target }) => `${account} ${target}`,
  );
  return twice.concat(
    [...groups.values()].flatMap((group) => {
      const [{ account, peer, target }] = group as [Call];
      const sentId = findSent(`${account} ${target}`, peer);
      return sentId === undefined ? [] : checkGroup(group, told.get(`${peer} ${sentId}`) ?? 0);
    }),
  );
}

function checkGroup(group: Call[], times: number): Violation[] {
  const names = group.map(nameOf).join('; ');
  const accepted = group.filter(({ outcome }) => outcome === 'accepted');
  const isSure = !group.some(({ outcome }) => outcome === 'unknown');
  if (accepted.length > 0 && times === 0)
    return [{ rule: 'lost', what: `the sender was not told: ${names}` }];
  if (accepted.length === 0 && isSure && times > 0) return [{ rule: 'not-run', what: `heard by ${names}` }];
  const changed = accepted.filter(({ accepted: answer }) => (answer?.ptsCount ?? 0) > 0).length;
  if (changed > 1 || (changed === 0 && accepted.length > 0 && isSure)) {
    return [{ rule: 'wrong-answer', what: `${changed} answers say that they changed something: ${names}` }];
  }
  return [];
}

/** Finds the sender's id of a message by the account and id of who got it: both copies say the same text. */
function mapToSent(updates: readonly Truth[]): (received: string, sender: string) => number | undefined {
  const texts = new Map<string, string>();
  const ids = new Map<string, number>();
  for (const { kind, account, text, messageId } of updates) {
    if (kind !== 'RawUpdateNewMessage' || text === null || messageId === null) continue;
    texts.set(`${account} ${messageId}`, text);
    ids.set(`${account} ${text}`, messageId);
  }
  return (received, sender) => ids.get(`${sender} ${texts.get(received)}`);
}
