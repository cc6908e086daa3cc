import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { checkLanguage } from '../../model/bots/bot-commands.ts';
import { type BotTexts, readProfile, requireOwnBot } from '../../model/bots/bot-profile.ts';
import { getSelf } from '../../model/people/users.ts';

/** The bot's name and texts for users of a language, or for users of all other languages. */
export const getBotInfo = defineMethod('bots.getBotInfo', async ({ bot, langCode }, call) => {
  await requireOwnBot(call, bot);
  checkLanguage(langCode);
  const [self, texts] = await Promise.all([
    getSelf(call),
    readProfile<BotTexts>(call, call.account.userId, `texts:${langCode}`),
  ]);
  const { name = '', about = '', description = '' } = texts ?? {};
  return {
    _: 'bots.botInfo',
    name: langCode === '' ? self.firstName : name,
    about: langCode === '' ? (self.about ?? '') : about,
    description,
  };
});

export const example: Example<'bots.getBotInfo'> = ({ self }) => (self.bot ? { langCode: '' } : null);
