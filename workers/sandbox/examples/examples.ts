import { accountExamples } from './account.ts';
import { channelExamples } from './channels.ts';
import { contactExamples } from './contacts.ts';
import type { Examples } from './example.ts';
import { messageExamples } from './messages.ts';
import { otherExamples } from './others.ts';
import { paymentExamples } from './payments.ts';
import { phoneExamples } from './phone.ts';
import { uploadExamples } from './upload.ts';

/** An example of every executed method. */
export const examples: Examples = {
  ...accountExamples,
  ...channelExamples,
  ...contactExamples,
  ...messageExamples,
  ...otherExamples,
  ...paymentExamples,
  ...phoneExamples,
  ...uploadExamples,
};
