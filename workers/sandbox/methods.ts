// Made by `npm run docs` from the files in `methods/`; do not edit.
import type { MethodName } from '../../src/tl/tl-json.ts';
import type { Method } from '../driver.ts';
import type { Example } from './examples/example.ts';
import * as account from './methods/account.ts';
import * as bots from './methods/bots.ts';
import * as channels from './methods/channels.ts';
import * as contacts from './methods/contacts.ts';
import * as folders from './methods/folders.ts';
import * as help from './methods/help.ts';
import * as messages from './methods/messages.ts';
import * as payments from './methods/payments.ts';
import * as phone from './methods/phone.ts';
import * as stats from './methods/stats.ts';
import * as stories from './methods/stories.ts';
import * as updates from './methods/updates.ts';
import * as upload from './methods/upload.ts';
import * as users from './methods/users.ts';

/** Every executed method under its name. */
export const methods = {
  ...account.methods,
  ...bots.methods,
  ...channels.methods,
  ...contacts.methods,
  ...folders.methods,
  ...help.methods,
  ...messages.methods,
  ...payments.methods,
  ...phone.methods,
  ...stats.methods,
  ...stories.methods,
  ...updates.methods,
  ...upload.methods,
  ...users.methods,
} satisfies { readonly [Name in MethodName]?: Method<Name> };

export type ExecutedMethod = keyof typeof methods;

/** An example of each. */
export const examples: { readonly [Name in ExecutedMethod]: Example<Name> } = {
  ...account.examples,
  ...bots.examples,
  ...channels.examples,
  ...contacts.examples,
  ...folders.examples,
  ...help.examples,
  ...messages.examples,
  ...payments.examples,
  ...phone.examples,
  ...stats.examples,
  ...stories.examples,
  ...updates.examples,
  ...upload.examples,
  ...users.examples,
};

/** Where the sandbox knowingly differs from Telegram in what one method does. */
export const differences: { readonly [Name in ExecutedMethod]?: string } = {
  ...account.differences,
  ...bots.differences,
  ...channels.differences,
  ...contacts.differences,
  ...folders.differences,
  ...help.differences,
  ...messages.differences,
  ...payments.differences,
  ...phone.differences,
  ...stats.differences,
  ...stories.differences,
  ...updates.differences,
  ...upload.differences,
  ...users.differences,
};
