import { orderFromDriver } from '../../queue/submit/account-orders.ts';
import type { CallGateway } from '../../queue/submit/call-gateway.ts';
import type { AccountControl, Seeded } from '../deps.ts';

/** Reaches the drivers of accounts over the queue. */
export function openAccountControl(calls: Pick<CallGateway, 'submit'>): AccountControl {
  return {
    async connectAccount(account) {
      const { id, name, bot, strictPeers } = account;
      const payload = { accountId: id, name, bot, strictPeers };
      return (await orderFromDriver(calls, account, 'connectAccount', payload)) as Seeded;
    },
    async disconnectAccount(account) {
      await orderFromDriver(calls, account, 'disconnectAccount', {
        accountId: account.id,
      });
    },
    control: (account, action, params) => orderFromDriver(calls, account, action, params),
  };
}
