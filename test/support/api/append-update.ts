import { newId } from '../../../src/ids.ts';
import type { RedisConnection } from '../../../src/redis/connections.ts';
import { ledgerKey } from '../../../src/redis/keys.ts';
import { commit } from '../../../src/state/commit.ts';
import { Transaction } from '../../../src/state/transaction.ts';

/** What a test wants on the stream of a workspace. */
export interface WantedUpdate {
  accountId?: string | null;
  kind?: string;
  value?: unknown;
}

/** Appends updates the way a call does, all with one txid, and gives that. */
export async function appendUpdates(
  redis: RedisConnection,
  workspaceId: string,
  wanted: WantedUpdate[],
): Promise<number> {
  const tx = new Transaction(redis, workspaceId);
  for (const { accountId = newId('messengerAccount'), kind = 'updateConfig', value = null } of wanted) {
    tx.update({ messengerAccountId: accountId, userId: 7 }, {
      _: kind,
      value,
    } as never);
  }
  const outcome = await commit(
    redis,
    {
      workspaceId,
      ledger: ledgerKey(workspaceId, newId('call')),
      field: newId('call'),
      claim: '',
      notAfter: Date.now() + 60_000,
      ledgerExpiresAt: Date.now() + 65_000,
    },
    tx,
    { result: '{}' },
    '',
  );
  if (outcome.kind !== 'committed') throw new Error(`the commit was ${outcome.kind}`);
  return Number(outcome.txid);
}
