import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { sponsoredMessage } from '../../examples/seeded-things.ts';
import { countSponsored } from '../../model/sponsored/sponsored.ts';

/** Counts a click on a sponsored message; false if there is none of that id. */
export const clickSponsoredMessage = defineMethod('messages.clickSponsoredMessage', ({ randomId }, call) =>
  countSponsored(call, 'clicks', randomId),
);

export const example: Example<'messages.clickSponsoredMessage'> = sponsoredMessage;
