import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import type { TlMessage } from '../../model/boxes/messages.ts';
import { peersOf } from '../../model/boxes/named-peers.ts';
import { toMessageList } from '../../model/messages/message-list.ts';
import { readAccountState } from '../../model/updates/account-state.ts';
import { findChangedChannels } from '../../model/updates/changed-channels.ts';
import { type Change, findChanges } from '../../model/updates/difference.ts';

// How many changes are read, and how many are returned at once.
const PTS_MAX = 2_000;
const SLICE_MAX = 500;

/**
 * The account's changes since `pts`, and which of its channels changed since `date`: `differenceSlice` for a part of them,
 * `differenceTooLong` if there are more than 2,000 or if they are no longer kept in full. Errors: `PERSISTENT_TIMESTAMP_EMPTY`,
 * `PERSISTENT_TIMESTAMP_INVALID`, `DATE_EMPTY`.
 */
export const getDifference = defineMethod('updates.getDifference', async (params, call) => {
  const { pts, ptsLimit = SLICE_MAX, ptsTotalLimit = PTS_MAX, date } = params;
  if (pts <= 0) throw new MessengerError('PERSISTENT_TIMESTAMP_EMPTY');
  if (date <= 0) throw new MessengerError('DATE_EMPTY');
  const [state, channels] = await Promise.all([readAccountState(call), findChangedChannels(call, date)]);
  if (pts > state.pts) throw new MessengerError('PERSISTENT_TIMESTAMP_INVALID');
  // Updates that only bots get are not kept: the state says how many were lost.
  if (pts === state.pts && params.qts >= state.qts && channels.length === 0) {
    return { _: 'updates.differenceEmpty', date: call.date, seq: 0 };
  }
  const tooLong = { _: 'updates.differenceTooLong', pts: state.pts } as const;
  if (state.pts - pts > Math.min(ptsTotalLimit, PTS_MAX)) return tooLong;
  const changes = await findChanges(call, { since: pts, present: state.pts });
  if (!changes) return tooLong;
  const slice = changes.slice(0, Math.max(1, Math.min(ptsLimit, SLICE_MAX)));
  const otherUpdates = [
    ...slice.flatMap((change) => ('update' in change ? change.update : [])),
    // Only with the first part: the request for the next one has the date of this one.
    ...channels,
  ];
  const list = await toMessageList(call, slice.flatMap(messageOf), peersOf(...otherUpdates));
  const { messages: newMessages, users, chats } = list;
  const difference = { newMessages, newEncryptedMessages: [], otherUpdates, users, chats };
  if (slice.length === changes.length) return { _: 'updates.difference', ...difference, state };
  const reached = slice[slice.length - 1] as Change;
  return {
    _: 'updates.differenceSlice',
    ...difference,
    intermediateState: { ...state, pts: reached.pts },
  };
});

function messageOf(change: Change): TlMessage[] {
  return 'found' in change ? [change.found.message] : [];
}

export const example: Example<'updates.getDifference'> = ({ call }) => ({ pts: 1, date: call.date, qts: 0 });

export const difference = 'Looks back 2,000 changes or 4 MiB; farther is `updates.differenceTooLong`.';
