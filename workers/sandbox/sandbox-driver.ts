import type { ControlOrder, Driver, Method } from '../driver.ts';
import { connectAccount } from './connect-account.ts';
import { disconnectAccount } from './disconnect-account.ts';
import { getFaults, setFaults, takeFault } from './faults.ts';
import { methods } from './methods.ts';
import { resetAccount } from './reset-account.ts';
import { getSponsoredMessages, setSponsoredMessages } from './sponsored-orders.ts';

/** Opens the sandbox: a messenger per workspace, kept in Redis. */
export function openSandboxDriver(): Driver {
  return {
    name: 'sandbox',
    methods: new Map(Object.entries(methods) as [string, Method][]),
    orders: new Map<string, ControlOrder>([
      ['connectAccount', connectAccount],
      ['disconnectAccount', disconnectAccount],
      ['resetAccount', resetAccount],
      ['setFaults', setFaults],
      ['getFaults', getFaults],
      ['setSponsoredMessages', setSponsoredMessages],
      ['getSponsoredMessages', getSponsoredMessages],
    ]),
    findFault: takeFault,
  };
}
