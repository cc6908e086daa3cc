import { randomBytes } from 'node:crypto';
import { setSponsored } from '../model/sponsored/sponsored.ts';
import type { Seeding } from './seeding.ts';

/** A sponsored message in the account's channel. */
export async function seedSponsored({ call, ids }: Seeding): Promise<void> {
  const text = 'Everything a sandbox needs, at sandbox prices.';
  await setSponsored(call, `c${ids.channelId}`, {
    postsBetween: 10,
    startDelay: 5,
    betweenDelay: 30,
    messages: [
      {
        _: 'sponsoredMessage',
        recommended: true,
        canReport: true,
        randomId: randomBytes(16).toString('base64'),
        url: 'https://example.com/sandbox',
        title: 'Example',
        message: text,
        entities: [{ _: 'messageEntityBold', offset: 0, length: 'Everything'.length }],
        photo: { _: 'photoEmpty', id: '0' },
        media: { _: 'messageMediaEmpty' },
        color: { _: 'peerColor', color: 5, backgroundEmojiId: '0' },
        buttonText: 'Open',
        sponsorInfo: 'Example Ltd',
        additionalInfo: 'Shown in the sandbox only',
        minDisplayDuration: 5,
        maxDisplayDuration: 30,
      },
    ],
  });
}
