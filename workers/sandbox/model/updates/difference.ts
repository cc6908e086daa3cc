import type { CallContext } from '../../../driver.ts';
import { findMessages, type TlMessage } from '../boxes/messages.ts';
import { userBox } from '../common/keys.ts';
import type { ReadBudget } from '../common/read-budget.ts';
import type { KeptEvent } from '../people/account-events.ts';
import { eventsKey } from '../people/keys.ts';
import {
  type Arrival,
  findArrivals,
  type PtsRange,
  READ_AT_ONCE,
  readKeptEvents,
  sortIfComplete,
} from './arrivals.ts';

/** A message that was edited, as it is now. */
interface Edit {
  pts: number;
  ptsCount: number;
  edited: TlMessage;
}

/** One thing that happened to an account: a message that arrived or was edited, or an update. */
export type Change = Exclude<KeptEvent, { edited: number }> | Edit | Arrival;

const READ_CHARACTERS = 4 * 1024 * 1024;

/**
 * What has happened to the calling account, in order: messages in their current state, each once, and updates. Null if not all changes are
 * kept any more, or if there are more than one call reads.
 */
export async function findChanges(call: CallContext, span: PtsRange): Promise<Change[] | null> {
  const { userId } = call.account;
  const budget = { left: READ_CHARACTERS };
  const [arrivals, events] = await Promise.all([
    findArrivals(call, userBox(userId), span, budget),
    readKeptEvents<KeptEvent>(call, eventsKey(userId), span.since, budget),
  ]);
  if (budget.left < 0) return null;
  let gone = 0;
  for (const event of events) {
    if ('edited' in event || event.update._ !== 'updateDeleteMessages') continue;
    // An earlier release did not keep when they arrived.
    gone += event.arrived?.filter((pts) => pts > span.since).length ?? event.update.messages.length;
  }
  const changes = sortIfComplete<KeptEvent | Arrival>([...arrivals, ...events], span, gone);
  return changes && showEdits(call, changes, span, budget);
}

// An edited message is shown in its current state, so only its last edit counts, and no edit of a new message.
async function showEdits(
  call: CallContext,
  changes: readonly (KeptEvent | Arrival)[],
  { since }: PtsRange,
  budget: ReadBudget,
): Promise<Change[] | null> {
  const last = new Map<number, number>();
  for (const change of changes) {
    const id = editedId(change);
    if (id !== null) last.set(id, change.pts);
  }
  const edits = new Map<number, Edit>();
  const ids = [...last.keys()];
  for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
    const some = ids.slice(at, at + READ_AT_ONCE);
    for (const found of await findMessages(call, userBox(call.account.userId), some, budget)) {
      if (!found || (found.pts ?? 0) > since) continue;
      const pts = last.get(found.message.id) ?? 0;
      edits.set(pts, { pts, ptsCount: 1, edited: found.message });
    }
    if (budget.left < 0) return null;
  }
  return changes.flatMap((change): Change | Change[] =>
    'edited' in change || editedId(change) !== null ? (edits.get(change.pts) ?? []) : change,
  );
}

function editedId(change: KeptEvent | Arrival): number | null {
  if ('edited' in change) return change.edited;
  return 'update' in change && change.update._ === 'updateEditMessage' ? change.update.message.id : null;
}
