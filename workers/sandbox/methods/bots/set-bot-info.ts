import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { checkLanguage } from '../../model/bots/bot-commands.ts';
import { type BotTexts, putProfile, requireOwnBot } from '../../model/bots/bot-profile.ts';
import { botProfileKey } from '../../model/bots/keys.ts';
import { notifyOfName } from '../../model/conversations/notify-of-name.ts';
import { changeSelf } from '../../model/people/change-self.ts';

// Source: core.telegram.org/bots/api.
const LENGTHS = { name: 64, about: 120, description: 512 } as const;

/**
 * Changes the bot's name, about and description for users of a language; without a language code, for all other users. Errors:
 * `BOT_INVALID`, `USER_BOT_INVALID`, `LANG_CODE_INVALID`, `FIRSTNAME_INVALID`, `ABOUT_TOO_LONG`.
 */
export const setBotInfo = defineMethod('bots.setBotInfo', async (params, call) => {
  await requireOwnBot(call, params.bot);
  checkLanguage(params.langCode);
  const given = readTexts(params);
  // Without a language, name and about are those of the bot's user record.
  const { name, about, ...onlyDescription } = given;
  const field = `texts:${params.langCode}` as const;
  const known = await call.tx.observe(botProfileKey(call.account.userId), field);
  const texts: BotTexts = {
    ...JSON.parse(known ?? '{}'),
    ...(params.langCode === '' ? onlyDescription : given),
  };
  const kept = Object.fromEntries(Object.entries(texts).filter(([, text]) => text));
  putProfile(call, field, Object.keys(kept).length > 0 ? kept : null);
  if (params.langCode !== '') return true;
  if (name === '') throw new MessengerError('FIRSTNAME_INVALID');
  const { before, self } = await changeSelf(call, (user) => ({
    ...user,
    ...(name === undefined ? {} : { firstName: name }),
    ...(about === undefined ? {} : { about }),
  }));
  if (self.firstName !== before.firstName) await notifyOfName(call, self);
  return true;
});

function readTexts(given: BotTexts): BotTexts {
  const texts: BotTexts = {};
  for (const name of ['name', 'about', 'description'] as const) {
    const text = given[name]?.trim().toWellFormed();
    if (text === undefined) continue;
    if (text.length > LENGTHS[name])
      throw new MessengerError(name === 'name' ? 'FIRSTNAME_INVALID' : 'ABOUT_TOO_LONG');
    texts[name] = text;
  }
  return texts;
}

export const example: Example<'bots.setBotInfo'> = ({ self }) =>
  self.bot ? { langCode: '', about: 'Answers', description: 'Ask it' } : null;

export const difference = 'Users see the texts without a language, the bot alone those with one.';
