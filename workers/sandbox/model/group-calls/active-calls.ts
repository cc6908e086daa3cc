import type { Update } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { type ChannelRecord, type ChatRecord, findChannels, findChats, findMember } from '../chats/chats.ts';
import { CHANNELS, CHATS } from '../chats/keys.ts';
import { isAllowed } from '../chats/rights.ts';
import { channelBox, userBox } from '../common/keys.ts';
import { postMessage } from '../messages/post-message.ts';
import type { Peer } from '../peers/peer.ts';
import { toTlPeer } from '../peers/tl-peer.ts';
import { targetOf, type UserRecord } from '../people/users.ts';
import { storiesKey } from '../stories/keys.ts';
import { listCallAdmins, listCallAudience, notifyOfCall } from './call-updates.ts';
import {
  activeCallField,
  durationOf,
  type FoundCall,
  type GroupCallCounts,
  type GroupCallRecord,
  ownerKey,
  readCounts,
  replaceGroupCall,
  toInputCall,
} from './group-calls.ts';
import { ACTIVE_CALLS, endedCallsKey, GROUP_CALLS } from './keys.ts';

const NO_COUNTS: GroupCallCounts = { version: 0, participants: 0, videos: 0 };

/** A peer whose members may have a group call: a basic group or a channel. */
type Group = Exclude<Peer, { kind: 'user' }>;

/**
 * Begins a group call without participants. A peer has one at a time, so the caller observes that it has none: the commit then fails if one
 * began meanwhile.
 */
export async function startGroupCall(call: CallContext, record: GroupCallRecord): Promise<void> {
  call.tx.hset(GROUP_CALLS, record.id, record);
  call.tx.hset(ACTIVE_CALLS, activeCallField(record), record.id);
  if (record.storyId === undefined) await setCallActive(call, record, true);
}

/**
 * Notifies the audience of a call that begins; `found` is that audience, if it was looked up before. Returns the update of the calling
 * account.
 */
export async function notifyOfStart(
  call: CallContext,
  record: GroupCallRecord,
  found: readonly UserRecord[] | null = null,
): Promise<Update> {
  const [audience, admins] = await Promise.all([
    found ?? listCallAudience(call, record),
    listCallAdmins(call, record),
  ]);
  return notifyOfCall(call, record, NO_COUNTS, audience, admins);
}

/** Ends a group call for everybody, and removes its live story. Returns the updates of the calling account. */
export async function endGroupCall(call: CallContext, found: FoundCall): Promise<Update[]> {
  const { tx, date } = call;
  const { record } = found;
  const ended: GroupCallRecord = { ...record, endedAt: date };
  replaceGroupCall(call, found, ended);
  tx.expectField(ACTIVE_CALLS, activeCallField(record), record.id);
  tx.hdel(ACTIVE_CALLS, activeCallField(record));
  tx.zadd(endedCallsKey(ownerKey(record)), date, record.id);
  const [audience, admins, counts] = await Promise.all([
    listCallAudience(call, record),
    listCallAdmins(call, record),
    readCounts(call, record.id),
  ]);
  const updates = [notifyOfCall(call, ended, counts, audience, admins)];
  if (record.storyId !== undefined) {
    updates.push(removeLiveStory(call, record.owner, record.storyId, audience));
    return updates;
  }
  await setCallActive(call, record, false);
  const group = await findGroup(call, record);
  if (group) updates.push(await postCallAction(call, group, record, durationOf(record, date)));
  return updates;
}

// Returns the update of the calling account.
function removeLiveStory(
  { tx }: CallContext,
  owner: GroupCallRecord['owner'],
  storyId: number,
  audience: readonly UserRecord[],
): Update {
  const box = owner.kind === 'channel' ? channelBox(owner.id) : userBox(owner.id);
  tx.hdel(storiesKey(box), storyId);
  const story = { _: 'storyItemDeleted', id: storyId } as const;
  const update: Update = { _: 'updateStory', peer: toTlPeer(owner), story };
  for (const user of audience) tx.update(targetOf(user), update);
  return update;
}

/** Posts that a call began or is scheduled; with a duration (seconds), that it ended. Returns the update of the calling account. */
export async function postCallAction(
  call: CallContext,
  peer: Group,
  record: GroupCallRecord,
  duration?: number,
): Promise<Update> {
  const { scheduleDate } = record;
  const inputCall = toInputCall(record);
  const isScheduled = scheduleDate !== undefined && duration === undefined;
  const action = isScheduled
    ? ({ _: 'messageActionGroupCallScheduled', call: inputCall, scheduleDate } as const)
    : ({
        _: 'messageActionGroupCall',
        call: inputCall,
        ...(duration === undefined ? {} : { duration }),
      } as const);
  const { message, pts } = await postMessage(call, peer, { _: 'messageService', action });
  const kind = peer.kind === 'channel' ? 'updateNewChannelMessage' : 'updateNewMessage';
  return { _: kind, message, pts, ptsCount: 1 };
}

/** Whether the account may start, change and end the calls of this group or channel. */
export function mayManageCalls(call: CallContext, peer: Group): boolean {
  if (peer.kind === 'chat') return peer.chat.creatorId === call.account.userId;
  return isAllowed(peer.member, 'manageCall');
}

/** The group or channel that a call belongs to, as the calling account sees it; null for a user's call, or once it is gone. */
export async function findGroup(call: CallContext, { owner }: GroupCallRecord): Promise<Group | null> {
  const { kind, id } = owner;
  if (kind === 'user') return null;
  if (kind === 'chat') {
    const [chat] = await findChats(call, [id]);
    return chat ? { kind, id, key: `g${id}`, chat } : null;
  }
  const [[channel], member] = await Promise.all([
    findChannels(call, [id]),
    findMember(call, id, call.account.userId),
  ]);
  return channel ? { kind, id, key: `c${id}`, channel, member } : null;
}

async function setCallActive(
  call: CallContext,
  { owner }: GroupCallRecord,
  callActive: boolean,
): Promise<void> {
  const records = owner.kind === 'chat' ? CHATS : CHANNELS;
  const raw = await call.tx.observe(records, owner.id);
  if (raw === null) throw new MessengerError('GROUPCALL_INVALID');
  const record = JSON.parse(raw) as ChatRecord | ChannelRecord;
  call.tx.hset(records, owner.id, { ...record, callActive });
}
