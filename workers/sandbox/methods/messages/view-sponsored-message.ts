import { defineMethod } from '../../../driver.ts';
import { countSponsored } from '../../model/sponsored/sponsored.ts';

/** Counts a view of a sponsored message; false if there is none of that id. */
export const viewSponsoredMessage = defineMethod('messages.viewSponsoredMessage', ({ randomId }, call) =>
  countSponsored(call, 'views', randomId),
);
