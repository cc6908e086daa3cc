/** How many txids fit into a millisecond: a txid is at least Redis' milliseconds since the epoch times this, so it tells the time too. */
export const TXIDS_PER_MS = 2_048;

/** About when a txid was given: ms since the epoch, by Redis' clock. */
export function timeOfTxid(txid: number): number {
  return Math.floor(txid / TXIDS_PER_MS);
}
