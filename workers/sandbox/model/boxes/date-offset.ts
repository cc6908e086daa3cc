import type { CallContext } from '../../../driver.ts';
import type { Box } from '../common/keys.ts';
import { findMessages } from './messages.ts';

/**
 * The `offsetId` that stands for both an `offsetId` and an `offsetDate` (0: none): below it lie only messages sent before the
 * date. Dates grow with ids, so only a few messages of the list (`name`) are read.
 */
export async function toOffsetId(
  call: CallContext,
  name: string,
  box: Box,
  { offsetId, offsetDate }: { offsetId: number; offsetDate: number },
): Promise<number> {
  if (offsetDate <= 0) return offsetId;
  const since = await findSince(call, name, box, offsetDate);
  if (since === null) return offsetId;
  return offsetId > 0 ? Math.min(offsetId, since) : since;
}

async function findSince(call: CallContext, name: string, box: Box, date: number): Promise<number | null> {
  const key = call.tx.key(name);
  let [low, high] = [0, await call.tx.read.zcard(key)];
  let since: number | null = null;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [id = '0'] = await call.tx.read.zrange(key, String(middle), String(middle));
    const [found] = await findMessages(call, box, [id]);
    if (found && found.message.date >= date) {
      since = Number(id);
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return since;
}
