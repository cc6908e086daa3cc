import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { SELF } from '../../examples/input-peers.ts';
import { checkRandomIds } from '../../model/boxes/random-ids.ts';
import { expectOwnRights } from '../../model/chats/channel-members.ts';
import { channelBox, userBox } from '../../model/common/keys.ts';
import { randomLong } from '../../model/files/documents.ts';
import {
  endGroupCall,
  mayManageCalls,
  notifyOfStart,
  startGroupCall,
} from '../../model/group-calls/active-calls.ts';
import { listCallAudience } from '../../model/group-calls/call-updates.ts';
import {
  activeCallField,
  type FoundCall,
  type GroupCallRecord,
  toInputCall,
} from '../../model/group-calls/group-calls.ts';
import { ACTIVE_CALLS, GROUP_CALLS } from '../../model/group-calls/keys.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';
import { targetOf } from '../../model/people/users.ts';
import { storiesKey } from '../../model/stories/keys.ts';
import { type StoryItem, type StoryRecord, takeStoryId, viewStory } from '../../model/stories/stories.ts';
import { audienceFlags, resolveRules } from '../../model/stories/story-rules.ts';
import { markText } from '../../model/text/entities.ts';

const SHOWN_S = 24 * 60 * 60;
const CAPTION_MAX = 2_048;

/** Starts a live story of the account, or of a channel that it manages, with a group call for it. A running live story ends. */
export const startLive = defineMethod('stories.startLive', async (params, call) => {
  const { tx, account, date } = call;
  const { randomId } = params;
  const caption = params.caption?.trim() ?? '';
  if (caption.length > CAPTION_MAX) throw new MessengerError('MEDIA_CAPTION_TOO_LONG');
  const [owner, privacy, { entities }, recordSent] = await Promise.all([
    resolveOwner(call, params.peer),
    resolveRules(call, params.privacyRules),
    markText(call, params.caption ?? '', params.entities),
    checkRandomIds(call, randomId),
  ]);
  const box = owner.kind === 'channel' ? channelBox(owner.id) : userBox(owner.id);
  const storyId = await takeStoryId(call, box);
  const record = newLiveCall(call, owner, storyId, params);
  await endPrevious(call, record);

  const media = {
    _: 'messageMediaVideoStream',
    ...(params.rtmpStream ? { rtmpStream: true } : {}),
    call: toInputCall(record),
  } as const;
  const item: StoryItem = {
    _: 'storyItem',
    id: storyId,
    date,
    expireDate: date + SHOWN_S,
    ...(params.pinned ? { pinned: true } : {}),
    ...(params.noforwards ? { noforwards: true } : {}),
    ...audienceFlags(privacy),
    ...(owner.kind === 'channel' ? { fromId: { _: 'peerUser', userId: account.userId } } : {}),
    ...(caption === '' ? {} : { caption }),
    ...(entities.length > 0 ? { entities } : {}),
    media,
  };
  const story: StoryRecord = { item, privacy };
  tx.hset(storiesKey(box), storyId, story);
  await startGroupCall(call, record);
  const audience = await listCallAudience(call, record, story);
  for (const user of audience) {
    const isOwner = user.id === account.userId;
    tx.update(targetOf(user), { _: 'updateStory', peer: toTlPeer(owner), story: viewStory(story, isOwner) });
  }
  await notifyOfStart(call, record, audience);
  recordSent(randomId, storyId);
  return { _: 'updatesTooLong' };
});

async function resolveOwner(
  call: CallContext,
  input: Parameters<typeof resolvePeer>[1],
): Promise<GroupCallRecord['owner']> {
  const peer = await resolvePeer(call, input);
  const isOwn = peer.kind === 'user' && peer.id === call.account.userId;
  const isBroadcast = peer.kind === 'channel' && peer.channel.kind !== 'monoforum';
  if (!isOwn && !isBroadcast) throw new MessengerError('PEER_ID_INVALID');
  if (peer.kind === 'channel') {
    if (!mayManageCalls(call, peer)) throw new MessengerError('CHAT_ADMIN_REQUIRED');
    expectOwnRights(call, peer);
  }
  return { kind: peer.kind, id: peer.id };
}

function newLiveCall(
  call: CallContext,
  owner: GroupCallRecord['owner'],
  storyId: number,
  params: { rtmpStream?: boolean; messagesEnabled?: boolean; sendPaidMessagesStars?: string },
): GroupCallRecord {
  const { rtmpStream, messagesEnabled = true, sendPaidMessagesStars } = params;
  return {
    id: randomLong(),
    accessHash: randomLong(),
    owner,
    creatorId: call.account.userId,
    date: call.date,
    storyId,
    joinMuted: true,
    messagesEnabled,
    ...(rtmpStream ? { rtmpStream } : {}),
    ...(sendPaidMessagesStars === undefined ? {} : { starsPerMessage: sendPaidMessagesStars }),
  };
}

async function endPrevious(call: CallContext, next: GroupCallRecord): Promise<void> {
  const id = await call.tx.observe(ACTIVE_CALLS, activeCallField(next));
  const raw = id === null ? null : await call.tx.read.hget(call.tx.key(GROUP_CALLS), id);
  if (raw === null) return;
  const previous: FoundCall = { record: JSON.parse(raw) as GroupCallRecord, raw, isAdmin: true };
  await endGroupCall(call, previous);
}

export const example: Example<'stories.startLive'> = () => ({
  peer: SELF,
  privacyRules: [{ _: 'inputPrivacyValueAllowContacts' }],
});

export const difference =
  'Ends the live story before it, and tells at most 200 users; of the groups that its rules name, it looks at 200 members. Answers `updatesTooLong`.';
