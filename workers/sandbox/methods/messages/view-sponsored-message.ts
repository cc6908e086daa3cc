import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { sponsoredMessage } from '../../examples/seeded-things.ts';
import { countSponsored } from '../../model/sponsored/sponsored.ts';

/** Counts a view of a sponsored message; false if there is none of that id. */
export const viewSponsoredMessage = defineMethod('messages.viewSponsoredMessage', ({ randomId }, call) =>
  countSponsored(call, 'views', randomId),
);

export const example: Example<'messages.viewSponsoredMessage'> = sponsoredMessage;
