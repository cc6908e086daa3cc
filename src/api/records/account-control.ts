import { orderFromDriver } from '../../queue/submit/account-orders.ts';
import type { CallGateway } from '../../queue/submit/call-gateway.ts';
import type { AccountControl, ConnectedUser } from '../deps.ts';

/** Sends orders to drivers over the queue. */
export function openAccountControl(calls: Pick<CallGateway, 'submit'>): AccountControl {
  return {
    async connectAccount(account, signal) {
      const { id, name, bot, strictPeers } = account;
      const payload = { accountId: id, name, bot, strictPeers };
      return (await orderFromDriver(calls, account, 'connectAccount', payload, signal)) as ConnectedUser;
    },
    async disconnectAccount(account, signal) {
      await orderFromDriver(calls, account, 'disconnectAccount', { accountId: account.id }, signal);
    },
    control: (account, action, params, signal) => orderFromDriver(calls, account, action, params, signal),
  };
}
