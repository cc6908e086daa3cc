import { Client, type Account as ClientAccount } from '../../../src/client/index.ts';
import type { Account, Service } from './service.ts';

/** A client of a service, with its root key. What a busy machine takes long for is waited for. */
export function clientOf(service: Service, url = service.url): Client {
  return new Client({ url, key: service.rootKey, timeoutMs: 600_000, attempts: 1_000 });
}

/** An account, as a client sees it. */
export function accountOf(client: Client, { workspaceId, id }: Account): ClientAccount {
  return client.account(workspaceId, id);
}

/** The peer that an account of the sandbox is for others. */
export function peerOf({ userId }: Account) {
  return { _: 'inputPeerUser', userId, accessHash: '0' } as const;
}
