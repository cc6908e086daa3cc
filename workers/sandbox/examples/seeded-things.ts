import { MessengerError } from '../../driver.ts';
import { findMessages } from '../model/boxes/messages.ts';
import { listInvites } from '../model/chats/invites.ts';
import { channelBox, userBox } from '../model/common/keys.ts';
import { topicsKey } from '../model/conversations/keys.ts';
import type { TopicRecord } from '../model/conversations/topic-records.ts';
import { GENERAL_TOPIC_ID } from '../model/conversations/topics.ts';
import { findGifts, type GiftRecord } from '../model/gifts/gifts.ts';
import { ownedGiftsKey } from '../model/gifts/keys.ts';
import { activeCallField, type GroupCallRecord, toInputCall } from '../model/group-calls/group-calls.ts';
import { ACTIVE_CALLS, callParticipantsKey, GROUP_CALLS } from '../model/group-calls/keys.ts';
import { findSponsored } from '../model/sponsored/sponsored.ts';
import type { ExampleContext } from './example.ts';
import { peerChannel, SELF } from './input-peers.ts';

/** A format of themes. */
export const THEME_FORMAT = 'webk';

/** The invoice in the account's own chat. */
export const INVOICE = { _: 'inputInvoiceMessage', peer: SELF, msgId: 1 } as const;

type InputGift = { _: 'inputSavedStarGiftUser'; msgId: number };

/** The theme the account created. */
export function ownTheme({ ids }: ExampleContext) {
  return { _: 'inputTheme', id: ids.themeId, accessHash: '0' } as const;
}

/** The uploaded file, to be sent under a name. */
export function inputFile({ ids }: ExampleContext, name: string) {
  return { _: 'inputFile', id: ids.fileId, parts: 1, name, md5Checksum: '' } as const;
}

/** The message with the poll of the forum; null if it was deleted. */
export async function forumPoll(context: ExampleContext) {
  const { call, ids } = context;
  const [found] = await findMessages(call, channelBox(ids.forumId), [1]);
  return found ? { peer: await peerChannel(context, 'forumId'), msgId: 1 } : null;
}

/** The general topic of the forum. */
export async function generalTopic({ call, ids }: ExampleContext): Promise<Partial<TopicRecord>> {
  const raw = await call.tx.read.hget(call.tx.key(topicsKey(ids.forumId)), String(GENERAL_TOPIC_ID));
  return JSON.parse(raw ?? '{}') as Partial<TopicRecord>;
}

/** The group call of the forum. Error, so that there is no example: `GROUPCALL_INVALID` if the forum was deleted. */
export async function forumCall(context: ExampleContext) {
  return toInputCall(await readCall(context));
}

/** The group call of the forum if it is running; with `joined`, only if the account is in it. Otherwise null. */
export async function runningForumCall(context: ExampleContext, { joined = false } = {}) {
  const { call, self, ids } = context;
  const record = await readCall(context);
  const key = call.tx.key(callParticipantsKey(ids.runningCallId));
  const isIn = !joined || (await call.tx.read.hexists(key, userBox(self.id))) === 1;
  return record.endedAt === undefined && isIn ? toInputCall(record) : null;
}

/** The running call of the basic group, or null. */
export async function basicGroupCall(context: ExampleContext) {
  const { call, ids } = context;
  const field = activeCallField({ owner: { kind: 'chat', id: ids.chatId } });
  const id = await call.tx.read.hget(call.tx.key(ACTIVE_CALLS), field);
  return id === null ? null : toInputCall(await readCall(context, id));
}

async function readCall({ call, ids }: ExampleContext, id = ids.runningCallId): Promise<GroupCallRecord> {
  const raw = await call.tx.read.hget(call.tx.key(GROUP_CALLS), id);
  if (raw === null) throw new MessengerError('GROUPCALL_INVALID');
  return JSON.parse(raw) as GroupCallRecord;
}

/** A sponsored message of the account's channel. */
export async function sponsoredMessage({ call, ids }: ExampleContext): Promise<{ randomId: string } | null> {
  const { messages } = await findSponsored(call, `c${ids.channelId}`);
  return messages[0] ? { randomId: messages[0].randomId } : null;
}

/** Makes params from the oldest of the account's gifts for which that is possible; null if there is none. */
export async function giftParams<Params>(
  { call, self }: ExampleContext,
  fits: (gift: GiftRecord) => boolean,
  toParams: (stargift: InputGift) => Params,
): Promise<Params | null> {
  const ids = await call.tx.read.zrange(call.tx.key(ownedGiftsKey(`u${self.id}`, 'came')), '0', '19');
  const found = await findGifts(call, ids);
  const gift = found.find((one) => one !== null && fits(one.gift))?.gift;
  return gift ? toParams({ _: 'inputSavedStarGiftUser', msgId: gift.message.id }) : null;
}

export function isCollectible({ collectible }: GiftRecord): boolean {
  return collectible !== null;
}

/** The link to the group that the account is invited to. */
export async function inviteOf({ call, ids }: ExampleContext): Promise<{ hash: string } | null> {
  const [invite] = ids.invitedId === undefined ? [] : await listInvites(call, `g${ids.invitedId}`);
  return invite ? { hash: invite.hash } : null;
}
