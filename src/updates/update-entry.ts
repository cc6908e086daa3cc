import { offsetOf } from './offset.ts';

/** An update as it is read from its stream: what filters look at, and its JSON as the API shows it. */
export interface UpdateEntry {
  offset: string;
  kind: string;
  messengerAccountId: string | null;
  json: string;
}

/** A txid is at least Redis' milliseconds times this, so it tells the time too. */
const TXIDS_PER_MS = 2_048;

/** When the update at an offset happened. */
export function timeOf(offset: string): string {
  return new Date(Math.floor(Number.parseInt(offset, 10) / TXIDS_PER_MS)).toISOString();
}

/** What an entry of a workspace's Redis stream means. */
export function toUpdateEntry(workspaceId: string, entryId: string, fields: string[]): UpdateEntry {
  const offset = offsetOf(entryId);
  const txid = Number(entryId.split('-', 1)[0]);
  const { k: kind = '', a, s, n, u = 'null' } = fromPairs(fields);
  const messengerAccountId = a ? a : null;
  const head = JSON.stringify({
    id: `upd_${workspaceId.slice(3)}_${entryId.replace('-', '_')}`,
    offset,
    kind,
    timestamp: timeOf(offset),
    workspaceId,
    messengerAccountId,
    ...(s === undefined ? {} : { userId: Number(s) }),
    txid: n === '1' ? null : txid,
  });
  // The update is JSON already; parsing it here only to write it again would cost more than all the rest.
  return {
    offset,
    kind,
    messengerAccountId,
    json: `${head.slice(0, -1)},"update":${u}}`,
  };
}

function fromPairs(fields: string[]): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (let at = 0; at + 1 < fields.length; at += 2) pairs[fields[at] as string] = fields[at + 1] as string;
  return pairs;
}
