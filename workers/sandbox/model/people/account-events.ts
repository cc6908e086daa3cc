import { encodeJson } from '../../../../src/state/placeholder.ts';
import type { Update } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { SEQ, userBox } from '../common/keys.ts';
import { eventsKey } from './keys.ts';
import { targetOf, type UserRecord } from './users.ts';

const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;
// As far as `updates.getDifference` looks back.
const KEPT_MAX = 2_000;

/** A change of an account that counts in its `pts`, as a function of the `pts`. */
type Event = (pts: number) => Update;

/** The stored event: an update, or the id of a message that was edited. */
export type KeptEvent = { pts: number; ptsCount: number } & (KeptUpdate | KeptEdit);

interface KeptEdit {
  edited: number;
  /** Not read: workers of an earlier release, which may run too, need an update in every event. */
  update: { _: 'updatePtsChanged' };
}

interface KeptUpdate {
  /** An earlier release kept edits as updates, too. */
  update: Update;
  /** For deleted messages: the account's `pts` at which each of them arrived; 0 if unknown. */
  arrived?: number[];
}

/** Notifies a user of a change that counts in its `pts`, and keeps the change for `updates.getDifference`. */
export function notifyOfEvent(
  call: CallContext,
  user: Pick<UserRecord, 'id' | 'accountId'>,
  ptsCount: number,
  event: Event,
  more: Pick<KeptUpdate, 'arrived'> = {},
): { pts: number; update: Update } {
  const pts = call.tx.allocate(SEQ, `pts:${userBox(user.id)}`, ptsCount);
  const update = event(pts);
  call.tx.update(targetOf(user), update);
  // A reaction or a vote may follow an edit and is not kept: a client that asks later needs the message as it is then.
  const kept = update._ === 'updateEditMessage' ? keptEdit(update.message.id) : { update, ...more };
  if (user.accountId !== null) keep(call, user.id, { pts, ptsCount, ...kept });
  return { pts, update };
}

/** Notifies the calling account's other sessions of its own change in the same way. Returns the new `pts`. */
export function notifySelf(call: CallContext, ptsCount: number, event: Event): number {
  const { id: accountId, userId: id } = call.account;
  return notifyOfEvent(call, { id, accountId }, ptsCount, event).pts;
}

/** Notifies a user of its deleted messages, and returns the new `pts`. */
export function notifyOfDeletion(
  call: CallContext,
  user: Pick<UserRecord, 'id' | 'accountId'>,
  gone: readonly { message: { id: number }; pts?: number }[],
): number {
  const messages = gone.map(({ message }) => message.id);
  const ptsCount = messages.length;
  const event = (pts: number): Update => ({ _: 'updateDeleteMessages', messages, pts, ptsCount });
  return notifyOfEvent(call, user, ptsCount, event, { arrived: gone.map(({ pts = 0 }) => pts) }).pts;
}

function keptEdit(edited: number): KeptEdit {
  return { edited, update: { _: 'updatePtsChanged' } };
}

function keep(call: CallContext, userId: number, event: KeptEvent): void {
  const name = eventsKey(userId);
  call.tx.zadd(name, event.pts, encodeJson(event));
  call.tx.zkeep(name, KEPT_MAX, KEPT_MS);
}
