import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError, NeedsSlowLane } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerUser } from '../../examples/input-peers.ts';
import { awaitAnswer, longOf } from '../../model/bots/callbacks.ts';
import { callbackKey } from '../../model/bots/keys.ts';
import { type FoundMessage, findMessages } from '../../model/boxes/messages.ts';
import { userBox } from '../../model/common/keys.ts';
import { listMessageReaders } from '../../model/conversations/message-readers.ts';
import { getMessage } from '../../model/messages/get-message.ts';
import type { Peer } from '../../model/peers/peer.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { findUser, targetOf, type UserRecord } from '../../model/people/users.ts';
import { showPeers } from '../../model/updates/show-peers.ts';
import { BUTTON_DATA, SEEDED_BUTTON } from '../../seed/shop.ts';

type Params = MethodParams<'messages.getBotCallbackAnswer'>;

const KEPT_MS = 60_000;

/**
 * Presses a button of a bot's message: the bot gets an update, and the call waits for its answer. Errors: `DATA_INVALID` for a button that
 * does not exist, `PASSWORD_MISSING`, `BOT_RESPONSE_TIMEOUT` after ten seconds.
 */
export const getBotCallbackAnswer = defineMethod('messages.getBotCallbackAnswer', async (params, call) => {
  const peer = await resolvePeer(call, params.peer);
  const found = await getMessage(call, peer, params.msgId);
  requireButton(found, params);
  const bot = await findBot(call, found);
  // A seeded bot always gives the same answer.
  if (bot.accountId === null)
    return { _: 'messages.botCallbackAnswer', message: 'Always open', cacheTime: 0 };
  if (!call.mayWait || !call.ahead) throw new NeedsSlowLane();
  const queryId = longOf(`query ${call.id}`);
  const { ahead } = call;
  const ask = async () => ahead(await toQuery(call, peer, found, { bot, queryId, data: params.data }));
  const { url, ...answer } = await awaitAnswer(call, bot.id, queryId, ask);
  return { _: 'messages.botCallbackAnswer', ...answer, ...(url === undefined ? {} : { hasUrl: true, url }) };
});

function requireButton({ message }: FoundMessage, { data, game }: Params): void {
  const markup = message._ === 'message' ? message.replyMarkup : undefined;
  const rows = markup?._ === 'replyInlineMarkup' ? markup.rows : [];
  const button = rows
    .flatMap(({ buttons }) => buttons)
    .find((one) => one._ === 'keyboardButtonCallback' && one.data === data);
  if (game || button?._ !== 'keyboardButtonCallback') throw new MessengerError('DATA_INVALID');
  if (button.requiresPassword) throw new MessengerError('PASSWORD_MISSING');
}

async function findBot(call: CallContext, { message, authorId }: FoundMessage): Promise<UserRecord> {
  const author = message.fromId?._ === 'peerUser' ? message.fromId.userId : authorId;
  const bot = author === undefined ? null : await findUser(call, author);
  if (!bot?.bot || bot.deleted) throw new MessengerError('MESSAGE_ID_INVALID');
  return bot;
}

async function toQuery(
  call: CallContext,
  peer: Peer,
  found: FoundMessage,
  { bot, queryId, data }: { bot: UserRecord; queryId: string; data: string | undefined },
): Promise<Parameters<NonNullable<CallContext['ahead']>>[0]> {
  const readers = await listMessageReaders(call, peer, found);
  const known = readers.find(({ user }) => user.id === bot.id);
  if (!known) throw new MessengerError('MESSAGE_ID_INVALID');
  const { userId } = call.account;
  const name = callbackKey(bot.id, queryId);
  return async (tx) => {
    tx.hset(name, 'asked', String(userId));
    tx.expire(name, 'h', KEPT_MS);
    tx.update(targetOf(bot), {
      _: 'updateBotCallbackQuery',
      queryId,
      userId,
      peer: known.peer,
      msgId: known.msgId,
      chatInstance: longOf(peer.kind === 'user' ? [userId, bot.id].sort().join() : peer.key),
      ...(data === undefined ? {} : { data }),
    });
    await showPeers({ ...call, tx });
  };
}

export const example: Example<'messages.getBotCallbackAnswer'> = async (context) => {
  const { call, self } = context;
  const [found] = await findMessages(call, userBox(self.id), [SEEDED_BUTTON]);
  const hasButton = found?.message._ === 'message' && found.message.replyMarkup !== undefined;
  return hasButton
    ? { peer: await peerUser(context, 'botId'), msgId: SEEDED_BUTTON, data: BUTTON_DATA }
    : null;
};

export const difference = 'A seeded bot answers at once. There are no games.';
