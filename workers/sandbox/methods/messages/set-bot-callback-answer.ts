import { parseUrl } from '../../../../src/parse-url.ts';
import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { type CallbackAnswer, seededQueryId } from '../../model/bots/callbacks.ts';
import { callbackKey } from '../../model/bots/keys.ts';

const MESSAGE_MAX = 200;
const URL_MAX = 2_048;

/**
 * Answers a user who has pressed a button of the bot; only once, and within a minute (the seeded query waits until it is answered). Errors:
 * `USER_BOT_REQUIRED`, `MESSAGE_TOO_LONG`, `URL_INVALID`, `QUERY_ID_INVALID`.
 */
export const setBotCallbackAnswer = defineMethod('messages.setBotCallbackAnswer', async (params, call) => {
  const { queryId, alert, message, url, cacheTime } = params;
  const { tx, account } = call;
  if (!account.bot) throw new MessengerError('USER_BOT_REQUIRED');
  if ((message ?? '').length > MESSAGE_MAX) throw new MessengerError('MESSAGE_TOO_LONG');
  if (url !== undefined && parseUrl(url, URL_MAX) === null) throw new MessengerError('URL_INVALID');
  const name = callbackKey(account.userId, queryId);
  const [asked, answered] = await Promise.all([tx.observe(name, 'asked'), tx.observe(name, 'answer')]);
  if (asked === null || answered !== null) throw new MessengerError('QUERY_ID_INVALID');
  const answer: CallbackAnswer = {
    cacheTime,
    ...(alert ? { alert } : {}),
    ...(message === undefined ? {} : { message }),
    ...(url === undefined ? {} : { url }),
  };
  tx.hset(name, 'answer', answer);
  return true;
});

export const example: Example<'messages.setBotCallbackAnswer'> = async ({ call, self }) => {
  const queryId = seededQueryId(self.id);
  const key = call.tx.key(callbackKey(self.id, queryId));
  const [asked, answered] = await call.tx.read.hmget(key, 'asked', 'answer');
  return asked && !answered ? { queryId, cacheTime: 0, message: 'Pressed' } : null;
};
