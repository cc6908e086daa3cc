import type { CallContext } from '../../../driver.ts';
import { userBox } from '../common/keys.ts';
import type { KeptEvent } from '../people/account-events.ts';
import { eventsKey } from '../people/keys.ts';
import { type Arrival, findArrivals, inOrder, readEvents, type Span } from './arrivals.ts';

/** One thing that happened to an account: a message that arrived, or an update. */
export type Change = KeptEvent | Arrival;

const READ_CHARACTERS = 4 * 1024 * 1024;

/**
 * What has happened to the calling account, in order, but for messages that arrived and are deleted by now, and edits of those; null where
 * not all of it is known any more, because updates were not kept, or it is more than one call reads.
 */
export async function findChanges(call: CallContext, span: Span): Promise<Change[] | null> {
  const { userId } = call.account;
  const budget = { left: READ_CHARACTERS };
  const [arrivals, events] = await Promise.all([
    findArrivals(call, userBox(userId), span, budget),
    readEvents<KeptEvent>(call, eventsKey(userId), span.since, budget),
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
