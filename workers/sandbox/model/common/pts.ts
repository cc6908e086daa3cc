import type { CallContext } from '../../../driver.ts';
import { type Box, SEQ } from './keys.ts';

/** The current `pts` of an account or a channel. */
export async function readPts(call: CallContext, box: Box): Promise<number> {
  return Number((await call.tx.read.hget(call.tx.key(SEQ), `pts:${box}`)) ?? 0);
}
