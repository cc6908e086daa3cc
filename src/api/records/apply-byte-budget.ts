import { setByteBudget } from '../../bytes/byte-budget.ts';
import { findRecord } from '../../directory/records.ts';
import type { RedisConnection } from '../../redis/connections.ts';

/**
 * Gives a workspace the byte budget that its record says. If several requests change that at once, they may get here in another order, so
 * each looks again after its write.
 */
export async function applyByteBudget(redis: RedisConnection, workspaceId: string): Promise<void> {
  let applied: number | null | undefined;
  for (;;) {
    const workspace = await findRecord(redis, 'workspaces', workspaceId);
    if (workspace === null || workspace.bytesMax === applied) return;
    applied = workspace.bytesMax;
    await setByteBudget(redis, workspaceId, applied);
  }
}
