import { parseUrl } from '../../../../src/parse-url.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { type MenuButton, putProfile, requireBot, toMenuField } from '../../model/bots/bot-profile.ts';
import { botProfileKey } from '../../model/bots/keys.ts';
import { listAcquaintances } from '../../model/conversations/acquaintances.ts';
import { findUsers, targetOf, type UserRecord } from '../../model/people/users.ts';

const TEXT_MAX = 64;
const URL_MAX = 2_048;
const FIELDS_MAX = 1_000;

/**
 * Sets the menu button of the bot for a user, or with `inputUserEmpty` for everybody else, and notifies them of the one they see now.
 * Errors: `USER_BOT_REQUIRED`, `BUTTON_TEXT_INVALID`, `BUTTON_URL_INVALID`, `BUTTON_INVALID` for more than 1,000 users.
 */
export const setBotMenuButton = defineMethod('bots.setBotMenuButton', async ({ userId, button }, call) => {
  requireBot(call);
  checkButton(button);
  const field = await toMenuField(call, userId);
  const { tx, account } = call;
  const kept = button._ === 'botMenuButtonDefault' ? null : button;
  const profile = botProfileKey(account.userId);
  const [before, forEverybody, count] = await Promise.all([
    tx.observe(profile, field),
    tx.observe(profile, 'menu:'),
    tx.read.hlen(tx.key(profile)),
  ]);
  if (kept && before === null && count >= FIELDS_MAX) throw new MessengerError('BUTTON_INVALID');
  putProfile(call, field, kept);
  const otherwise =
    field === 'menu:' || forEverybody === null ? button : (JSON.parse(forEverybody) as MenuButton);
  const shown = kept ?? otherwise;
  for (const user of await listNotified(call, field))
    tx.update(targetOf(user), { _: 'updateBotMenuButton', botId: account.userId, button: shown });
  return true;
});

function checkButton(button: MenuButton): void {
  if (button._ !== 'botMenuButton') return;
  const { text, url } = button;
  if (text.trim() === '' || text.length > TEXT_MAX) throw new MessengerError('BUTTON_TEXT_INVALID');
  if (!url.startsWith('https://') || parseUrl(url, URL_MAX) === null)
    throw new MessengerError('BUTTON_URL_INVALID');
}

async function listNotified(call: CallContext, field: string) {
  if (field === 'menu:') return listWithoutOwn(call);
  const [user] = await findUsers(call, [Number(field.slice('menu:'.length))]);
  return user && !user.deleted ? [user] : [];
}

// Users with a button of their own go on to see that one.
async function listWithoutOwn(call: CallContext): Promise<UserRecord[]> {
  const { tx, account } = call;
  const users = await listAcquaintances(call);
  if (users.length === 0) return [];
  const profile = botProfileKey(account.userId);
  const fields = users.map(({ id }) => `menu:${id}`);
  const own = await tx.read.hmget(tx.key(profile), ...fields);
  for (const [i, field] of fields.entries()) tx.expectField(profile, field, own[i] ?? null);
  return users.filter((_, i) => own[i] === null);
}

export const example: Example<'bots.setBotMenuButton'> = ({ self }) =>
  self.bot ? { userId: { _: 'inputUserEmpty' }, button: { _: 'botMenuButtonCommands' } } : null;
