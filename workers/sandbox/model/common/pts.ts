import type { CallContext } from '../../../driver.ts';
import { type Box, SEQ } from './keys.ts';

/** The current `pts` of an account or a channel. */
export function readPts({ tx }: CallContext, box: Box): Promise<number> {
  return tx.read.hget(tx.key(SEQ), `pts:${box}`).then(Number);
}
