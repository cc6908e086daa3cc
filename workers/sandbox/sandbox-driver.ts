import { isReadOnly } from '../../src/tl/is-read-only.ts';
import type { CallContext, ControlOrder, Driver, Method } from '../driver.ts';
import { connectAccount } from './connect-account.ts';
import { disconnectAccount } from './disconnect-account.ts';
import { doDueWork, findDueWork } from './do-due-work.ts';
import { getExamples } from './examples/get-examples.ts';
import { getFaults, setFaults, takeFault } from './faults.ts';
import { methods } from './methods.ts';
import { readPeersAhead, showPeers } from './model/updates/show-peers.ts';
import { resetAccount } from './reset/reset-account.ts';
import { getSponsoredMessages, setSponsoredMessages } from './sponsored-orders.ts';

/**
 * Opens the sandbox: a messenger per workspace, kept in Redis.
 *
 * - `methods/` has a file for each method, with its example; `methods.ts` is generated from them.
 * - `model/` has a folder for each subject, with its keys and what a reset removes of it. `resolvePeer` and the like find the peer that the
 *   caller means and may reach, `findMessages` and `viewMessages` read messages, `postMessage` writes a message with everybody's copy,
 *   unread counts, mentions and updates, `readWindow` pages, `listMentioned` returns the users and chats beside a result.
 * - `seed/` creates the objects of every new account, `reset/` removes them.
 */
export function openSandboxDriver(): Driver {
  return {
    name: 'sandbox',
    methods: new Map(
      Object.values(methods as Record<string, Method>).map(({ name, run }) => [
        name,
        { name, run: showing(run, !isReadOnly(name)) },
      ]),
    ),
    orders: new Map<string, ControlOrder>(ORDERS.map(([name, order]) => [name, showing(order, false)])),
    findDueWork,
    findFault: takeFault,
  };
}

const ORDERS: [string, ControlOrder][] = [
  ['connectAccount', connectAccount],
  ['disconnectAccount', disconnectAccount],
  ['resetAccount', resetAccount],
  ['doDueWork', doDueWork],
  ['getExamples', getExamples],
  ['setFaults', setFaults],
  ['getFaults', getFaults],
  ['setSponsoredMessages', setSponsoredMessages],
  ['getSponsoredMessages', getSponsoredMessages],
];

// Attaches the mentioned users and chats to every update.
function showing<Params, Result>(
  run: (params: Params, call: CallContext) => Promise<Result>,
  isWriting: boolean,
) {
  return async (params: Params, call: CallContext): Promise<Result> => {
    const ahead = isWriting ? readPeersAhead(call, params) : undefined;
    const result = await run(params, call);
    const reading = call.tx.pendingUpdates.length > 0 ? showPeers(call, ahead) : undefined;
    if (reading !== undefined) await reading;
    return result;
  };
}
