import type { Update } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import type { TlMessage } from '../../model/boxes/messages.ts';
import { peersOf } from '../../model/boxes/named-peers.ts';
import { toMessageList } from '../../model/messages/message-list.ts';
import { pollOf } from '../../model/messages/show-polls.ts';
import { readAccountState } from '../../model/updates/account-state.ts';
import { findChangedChannels } from '../../model/updates/changed-channels.ts';
import { type Change, findChanges } from '../../model/updates/difference.ts';

// How many changes are read, and how many are returned at once.
const PTS_MAX = 2_000;
const SLICE_MAX = 500;
// A poll may be much longer than what its message shows of it, and is shown in full.
const POLLS_MAX = 100;

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
  const slice = takePart(changes, Math.max(1, Math.min(ptsLimit, SLICE_MAX)));
  const difference = await viewSlice(call, slice, channels);
  if (slice.length === changes.length) return { _: 'updates.difference', ...difference, state };
  const reached = slice[slice.length - 1] as Change;
  return {
    _: 'updates.differenceSlice',
    ...difference,
    intermediateState: { ...state, pts: reached.pts },
  };
});

// The first changes, up to the first poll too many.
function takePart(changes: readonly Change[], most: number): Change[] {
  let polls = 0;
  const end = changes.slice(0, most).findIndex((change) => {
    const message = 'found' in change ? change.found.message : 'edited' in change ? change.edited : null;
    if (message !== null && pollOf(message)) polls += 1;
    return polls > POLLS_MAX;
  });
  return changes.slice(0, end < 0 ? most : end);
}

async function viewSlice(call: CallContext, slice: readonly Change[], channels: readonly Update[]) {
  const shown = slice.flatMap((change) => ('update' in change ? [] : change));
  const updates = slice.flatMap((change) => ('update' in change ? change.update : []));
  const { messages, users, chats } = await toMessageList(
    call,
    shown.map((change) => ('found' in change ? change.found.message : change.edited)),
    peersOf(...updates, ...channels),
  );
  const views = new Map<Change, TlMessage>(shown.map((change, i) => [change, messages[i] as TlMessage]));
  const otherUpdates = slice.flatMap((change): Update[] => {
    if ('update' in change) return [change.update];
    const { pts, ptsCount } = change;
    const message = views.get(change) as TlMessage;
    return 'edited' in change ? [{ _: 'updateEditMessage', message, pts, ptsCount }] : [];
  });
  return {
    newMessages: messages.filter((_, i) => 'found' in (shown[i] as Change)),
    newEncryptedMessages: [],
    // Only with the first part: the request for the next one has the date of this one.
    otherUpdates: [...otherUpdates, ...channels],
    users,
    chats,
  };
}

export const example: Example<'updates.getDifference'> = ({ call }) => ({ pts: 1, date: call.date, qts: 0 });

export const difference =
  'Looks back 2,000 changes or 4 MiB; farther is `updates.differenceTooLong`. Names channels that changed within 30 seconds before `date`, too.';
