import { timeOfTxid } from '../txid.ts';
import { offsetOf } from './offset.ts';

/** An update as read from its stream: the fields for filters, and its JSON as the API shows it. */
export interface UpdateEntry {
  offset: string;
  kind: string;
  messengerAccountId: string | null;
  /** About how many bytes its JSON takes. */
  size: number;
  /** The `traceparent` of the commit that appended it; absent where that was not traced. */
  readonly trace?: string | undefined;
  readonly json: string;
}

// The bytes of the entry's JSON around the update itself.
const HEAD_SIZE = 320;
const NO_PEERS = '{"users":[],"chats":[]}';

/** The time of the update at an offset, in ISO 8601. */
export function timeOf(offset: string): string {
  return new Date(millisecondsOf(offset)).toISOString();
}

/** The same in ms since the epoch. */
export function millisecondsOf(offset: string): number {
  return timeOfTxid(Number.parseInt(offset, 10));
}

/** The update in an entry of a workspace's Redis stream. */
export function toUpdateEntry(workspaceId: string, entryId: string, fields: string[]): UpdateEntry {
  return new StoredUpdate(workspaceId, entryId, fromPairs(fields));
}

// Its JSON is built on first use: updates that a filter leaves out need none.
class StoredUpdate implements UpdateEntry {
  readonly offset: string;
  readonly kind: string;
  readonly messengerAccountId: string | null;
  readonly size: number;
  private readonly workspaceId: string;
  private readonly entryId: string;
  private readonly pairs: Record<string, string>;
  private made: string | undefined;

  constructor(workspaceId: string, entryId: string, pairs: Record<string, string>) {
    const { k = '', a, u = 'null', p = '' } = pairs;
    this.offset = offsetOf(entryId);
    this.kind = k;
    this.messengerAccountId = a ? a : null;
    this.size = Buffer.byteLength(u) + Buffer.byteLength(p) + HEAD_SIZE;
    this.workspaceId = workspaceId;
    this.entryId = entryId;
    this.pairs = pairs;
  }

  get trace(): string | undefined {
    return this.pairs.t;
  }

  get json(): string {
    this.made ??= this.toJson();
    return this.made;
  }

  private toJson(): string {
    const { workspaceId, offset, kind, messengerAccountId } = this;
    const { s, u = 'null', p } = this.pairs;
    const head = JSON.stringify({
      id: `upd_${workspaceId.slice(3)}_${this.entryId.replace('-', '_')}`,
      offset,
      kind,
      timestamp: timeOf(offset),
      workspaceId,
      messengerAccountId,
      ...(s === undefined ? {} : { userId: Number(s) }),
      txid: Number(this.entryId.split('-', 1)[0]),
    });
    // The update and its peers are JSON already. Parsing and writing it again would cost more than the rest.
    return `${head.slice(0, -1)},"update":${u},${(p || NO_PEERS).slice(1)}`;
  }
}

function fromPairs(fields: string[]): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (let at = 0; at + 1 < fields.length; at += 2) pairs[fields[at] as string] = fields[at + 1] as string;
  return pairs;
}
