import { stateKey } from '../../../src/redis/keys.ts';
import { DUE } from '../../../workers/sandbox/model/common/due.ts';
import type { Sandbox, SandboxAccount } from './sandbox.ts';

/** Does what was left for later, or some kind of it, as workers do once it is due; gives how many commits that took. */
export async function doLater(sandbox: Sandbox, account: SandboxAccount, kind = ''): Promise<number> {
  const key = stateKey(account.workspaceId, DUE);
  const nobody = { ...account, id: '', userId: 0 };
  for (let orders = 0; ; orders += 1) {
    const work = (await sandbox.redis.zrange(key, '0', '-1')).filter((one) => one.includes(`${kind}:`));
    if (work.length === 0) return orders;
    for (const one of work) await sandbox.redis.zadd(key, 1, one);
    await sandbox.order(nobody, 'doDueWork');
  }
}

/** Does all work that is due, as workers do. */
export async function doAllDue(sandbox: Sandbox, account: SandboxAccount): Promise<void> {
  const nobody = { ...account, id: '', userId: 0 };
  // The time is read anew for each order: it says the second in which it ran, if there may be more to do.
  for (let next: number | null = 0; next !== null && next <= Date.now() / 1_000; )
    next = (await sandbox.order(nobody, 'doDueWork')).next;
}
