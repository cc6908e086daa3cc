import { type CallContext, type ControlOrder, MessengerError } from '../driver.ts';
import type { ChannelRecord } from './model/chats/chats.ts';
import { CHANNELS } from './model/chats/keys.ts';
import type { PeerKey } from './model/common/keys.ts';
import { getSeeded } from './model/people/seeded.ts';
import { findUser } from './model/people/users.ts';
import {
  findSponsored,
  readSponsoredCounts,
  type SponsoredMessage,
  type SponsoredRecord,
  setSponsored,
} from './model/sponsored/sponsored.ts';

/** The channel or bot of the sponsored messages; by default, the account's seeded channel. */
interface Sponsored {
  channelId?: number;
  botId?: number;
}

type SponsoredOrder = Sponsored & SponsoredRecord;

/** Replaces the sponsored messages of a channel or bot. */
export const setSponsoredMessages: ControlOrder = async (payload, call) => {
  const { channelId, botId, messages, ...spacing } = payload as SponsoredOrder;
  const peer = await resolveSponsored(call, payload as Sponsored);
  const record = { messages, ...spacing };
  await setSponsored(call, peer, record);
  return { ...toTarget(peer), ...record, messages: messages.map(withCounts([])) };
};

/** The sponsored messages of a channel or bot, with how often each was viewed and clicked. */
export const getSponsoredMessages: ControlOrder = async (payload, call) => {
  const peer = await resolveSponsored(call, payload as Sponsored);
  const { messages, ...spacing } = await findSponsored(call, peer);
  const counts = await readSponsoredCounts(call, messages);
  return { ...toTarget(peer), ...spacing, messages: messages.map(withCounts(counts)) };
};

async function resolveSponsored(call: CallContext, { channelId, botId }: Sponsored): Promise<PeerKey> {
  if (botId !== undefined) {
    const bot = await findUser(call, botId);
    if (!bot?.bot) throw new MessengerError('BOT_INVALID');
    return `u${botId}`;
  }
  const id = channelId ?? (await getSeeded(call)).channelId;
  // Nothing is set for a channel that is deleted meanwhile.
  const raw = await call.tx.observe(CHANNELS, id);
  const channel = raw === null ? null : (JSON.parse(raw) as ChannelRecord);
  if (!channel || channel.deleted) throw new MessengerError('CHANNEL_INVALID');
  return `c${id}`;
}

function withCounts(counts: Awaited<ReturnType<typeof readSponsoredCounts>>) {
  return (message: SponsoredMessage, index: number) => {
    const { views = 0, clicks = 0 } = counts[index] ?? {};
    return { ...message, views, clicks };
  };
}

function toTarget(peer: PeerKey): Sponsored {
  const id = Number(peer.slice(1));
  return peer.startsWith('c') ? { channelId: id } : { botId: id };
}
