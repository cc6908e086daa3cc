import type { CallContext } from '../../../driver.ts';
import type { TlMessage } from '../boxes/messages.ts';
import { reactedKey, viewsKey } from './keys.ts';
import { readReactions, viewReactions } from './reactions.ts';

/** Adds the current views and reactions to a channel's messages, as the calling account sees them. */
export async function addPostCounts(
  call: CallContext,
  channelId: number,
  messages: readonly (TlMessage | null)[],
): Promise<(TlMessage | null)[]> {
  const ids = messages.flatMap((message) => (message ? [String(message.id)] : []));
  if (ids.length === 0) return [...messages];
  const { read } = call.tx;
  const [views, reacted] = await Promise.all([
    read.hmget(call.tx.key(viewsKey(channelId)), ...ids),
    read.smismember(call.tx.key(reactedKey(channelId)), ...ids),
  ]);
  return Promise.all(
    messages.map(async (message) => {
      if (message === null) return null;
      const at = ids.indexOf(String(message.id));
      const viewed = addViews(message, Number(views[at] ?? 0));
      return reacted[at] === 1 ? addReactions(call, channelId, viewed) : viewed;
    }),
  );
}

/** A message with views beyond those that are stored with it. */
export function addViews<Shown extends TlMessage>(message: Shown, views: number): Shown {
  if (views === 0 || message._ !== 'message') return message;
  // On Telegram, a message has both counts or none.
  return { ...message, views: (message.views ?? 0) + views, forwards: message.forwards ?? 0 };
}

async function addReactions(call: CallContext, channelId: number, message: TlMessage): Promise<TlMessage> {
  const all = await readReactions(call, `c${channelId}:${message.id}`);
  if (all.size === 0) return message;
  const isPost = message._ === 'message' && message.post === true;
  return { ...message, reactions: viewReactions(all, call.account.userId, { isPost }) };
}
