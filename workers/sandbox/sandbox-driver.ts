import type { ControlOrder, Driver, Method } from '../driver.ts';
import { connectAccount } from './connect-account.ts';
import { disconnectAccount } from './disconnect-account.ts';
import { getExamples } from './examples/get-examples.ts';
import { getFaults, setFaults, takeFault } from './faults.ts';
import { methods } from './methods.ts';
import { resetAccount } from './reset/reset-account.ts';
import { getSponsoredMessages, setSponsoredMessages } from './sponsored-orders.ts';

/**
 * Opens the sandbox: a messenger per workspace, kept in Redis.
 *
 * A method is a file named as the method, in the folder of its namespace, entered in `methods.ts`. What it knows of the messenger
 * it has from `model/`, a folder for each subject, with a table of its keys: `resolvePeer` and its kin say whom the caller means
 * and may reach, `findMessages` and `viewMessages` read messages, `postMessage` writes one with everybody's copy, unread counts,
 * mentions and updates, `readWindow` pages, `listMentioned` gives the users and chats beside a result. What every new account
 * finds is made by `seed/`, called from `seed/seed-account.ts`; a key that is one user's own goes into
 * `model/own-keys.ts`, so that a reset removes it.
 */
export function openSandboxDriver(): Driver {
  return {
    name: 'sandbox',
    methods: new Map(Object.entries(methods) as [string, Method][]),
    orders: new Map<string, ControlOrder>([
      ['connectAccount', connectAccount],
      ['disconnectAccount', disconnectAccount],
      ['resetAccount', resetAccount],
      ['getExamples', getExamples],
      ['setFaults', setFaults],
      ['getFaults', getFaults],
      ['setSponsoredMessages', setSponsoredMessages],
      ['getSponsoredMessages', getSponsoredMessages],
    ]),
    findFault: takeFault,
  };
}
