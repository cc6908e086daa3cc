import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { refuseNoLanguage } from '../../model/bots/bot-commands.ts';
import { type BotTexts, readProfile, refuseForeignBot } from '../../model/bots/bot-profile.ts';
import { getSelf } from '../../model/people/users.ts';

/** What the bot says of itself to users of a language, or to those of all others. */
export const getBotInfo = defineMethod('bots.getBotInfo', async ({ bot, langCode }, call) => {
  await refuseForeignBot(call, bot);
  refuseNoLanguage(langCode);
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
