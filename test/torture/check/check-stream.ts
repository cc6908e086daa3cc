import { groupBy } from '../../../workers/sandbox/model/common/group-by.ts';
import type { Held, KnownAccount, Seen, Truth } from '../history.ts';
import type { Violation } from './violation.ts';

/** Holds what each follower got, over all its connections, against the stream: the same updates, each once, in the same order. */
export function checkFollowers(seen: readonly Seen[], updates: readonly Truth[]): Violation[] {
  const got = groupBy(seen, ({ workspace }) => workspace);
  const held = groupBy(updates, ({ workspace }) => workspace);
  return [...new Set([...got.keys(), ...held.keys()])].flatMap((workspace) =>
    compare(workspace, got.get(workspace) ?? [], held.get(workspace) ?? []),
  );
}

/** The stream's own order: offsets and each account's pts only ever rise. */
export function checkOrder(updates: readonly Truth[]): Violation[] {
  const violations: Violation[] = [];
  const offsets = new Map<string, string>();
  const pts = new Map<string, number>();
  for (const update of updates) {
    const { workspace, offset, account } = update;
    const before = offsets.get(workspace) ?? '';
    if (offset <= before) violations.push({ rule: 'txid-order', what: `offset ${offset} after ${before}` });
    offsets.set(workspace, offset);
    if (update.pts === null || update.ptsCount === null || account === null) continue;
    const last = pts.get(account) ?? 0;
    if (update.pts - update.ptsCount < last) {
      violations.push({
        rule: 'pts',
        what: `${account}: pts ${update.pts} (${update.ptsCount}) after ${last}`,
      });
    }
    pts.set(account, update.pts);
  }
  return violations;
}

/** The messages each account has at the end are those its updates have told of, with the text told last. */
export function checkFold(
  accounts: readonly KnownAccount[],
  updates: readonly Truth[],
  held: readonly Held[],
): Violation[] {
  const known = new Map(
    accounts.map(({ workspace, userId, account }) => [`${workspace} ${userId}`, account]),
  );
  const told = new Map<string, string>();
  for (const { workspace, account, text, messageId, peerUserId } of updates) {
    if (text === null || messageId === null || !known.has(`${workspace} ${peerUserId}`)) continue;
    told.set(`${account} ${messageId}`, text);
  }
  const violations: Violation[] = [];
  for (const { account, id, text } of held) {
    const name = `${account} ${id}`;
    const expected = told.get(name);
    if (expected !== text) {
      violations.push({ rule: 'updates-fold', what: `message ${name} says ${text}, told was ${expected}` });
    }
    told.delete(name);
  }
  for (const [name, text] of told) {
    violations.push({ rule: 'updates-fold', what: `message ${name} (${text}) was told of and is not there` });
  }
  return violations;
}

function compare(workspace: string, got: Seen[], held: Truth[]): Violation[] {
  const digests = new Map(held.map(({ offset, digest }) => [offset, digest]));
  const violations: Violation[] = [];
  const seen = new Set<string>();
  let last = '';
  for (const { offset, digest } of got) {
    if (seen.has(offset) || offset <= last) {
      violations.push({ rule: 'updates-doubled', what: `${workspace}: ${offset} after ${last}` });
    }
    if (digests.get(offset) !== digest) {
      const why = digests.has(offset) ? 'is another one' : 'is not in the stream';
      violations.push({ rule: 'updates-missing', what: `${workspace}: ${offset}, which was sent, ${why}` });
    }
    seen.add(offset);
    last = offset;
  }
  for (const { offset } of held) {
    if (!seen.has(offset))
      violations.push({ rule: 'updates-missing', what: `${workspace}: ${offset} was not sent` });
  }
  return violations;
}
