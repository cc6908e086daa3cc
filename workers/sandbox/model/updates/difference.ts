import type { CallContext } from '../../../driver.ts';
import { userBox } from '../common/keys.ts';
import type { KeptEvent } from '../people/account-events.ts';
import { eventsKey } from '../people/keys.ts';
import { type Arrival, findArrivals, inOrder, type PtsRange, readKeptEvents } from './arrivals.ts';

/** One thing that happened to an account: a message that arrived, or an update. */
export type Change = KeptEvent | Arrival;

const READ_CHARACTERS = 4 * 1024 * 1024;

/**
 * What has happened to the calling account, in order, without messages that have been deleted again and edits of those; null if not all
 * changes are kept any more, or if there are more than one call reads.
 */
export async function findChanges(call: CallContext, span: PtsRange): Promise<Change[] | null> {
  const { userId } = call.account;
  const budget = { left: READ_CHARACTERS };
  const [arrivals, events] = await Promise.all([
    findArrivals(call, userBox(userId), span, budget),
    readKeptEvents<KeptEvent>(call, eventsKey(userId), span.since, budget),
  ]);
  if (budget.left < 0) return null;
  const deleted = new Set<number>();
  let gone = 0;
  for (const { update, arrived } of events) {
    if (update._ !== 'updateDeleteMessages') continue;
    for (const id of update.messages) deleted.add(id);
    // An earlier release did not keep when they arrived.
    gone += arrived?.filter((pts) => pts > span.since).length ?? update.messages.length;
  }
  const changes = inOrder<Change>([...arrivals, ...events], span, gone);
  return changes?.filter((change) => !('update' in change && isEditOf(change.update, deleted))) ?? null;
}

function isEditOf(update: KeptEvent['update'], ids: ReadonlySet<number>): boolean {
  return update._ === 'updateEditMessage' && ids.has(update.message.id);
}
