/** How many txids fit into a millisecond. A txid is at least Redis' time, in ms since the epoch, times this. */
export const TXIDS_PER_MS = 2_048;

/** About when a txid was given, in ms since the epoch, by Redis' clock. */
export function timeOfTxid(txid: number): number {
  return Math.floor(txid / TXIDS_PER_MS);
}
