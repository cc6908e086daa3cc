import type { CallContext } from '../../../driver.ts';
import type { Box } from '../common/keys.ts';
import { findMessages } from './messages.ts';

/**
 * Converts a window's `offsetId` and `offsetDate` (0: none) to one `offsetId`. The id takes precedence: clients that page by ids send the
 * date of the same message with it, which other messages may share. Without an id, only messages sent before the date lie below the result.
 * Dates grow with ids, so only a few messages of the list (`name`) are read.
 */
export async function toOffsetId(
  call: CallContext,
  name: string,
  box: Box,
  { offsetId, offsetDate }: { offsetId: number; offsetDate: number },
): Promise<number> {
  if (offsetId > 0 || offsetDate <= 0) return offsetId;
  return (await findSince(call, name, box, offsetDate)) ?? 0;
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
