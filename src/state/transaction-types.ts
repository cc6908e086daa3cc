import type { Update } from '../tl/tl-json.ts';
import type { KeyType, StateKey } from './state-key.ts';

/** An argument of the commit script, or of a command in it. */
export type Argument = string | number;

/** What a transaction wants of the commit script. */
export interface EncodedTransaction {
  /** The state keys it uses, the type of each, how often it writes to each, and whether it puts something into it. */
  keys: StateKey[];
  types: KeyType[];
  writes: number[];
  isAddedTo: boolean[];
  /** The reply: a text, or the number of one that is put together in the script. */
  reply: Argument;
  /** All that follows the places of the keys, in parts. */
  args: Argument[][];
  /** Length of the arguments, in characters. */
  size: number;
  /** How many updates it appends. */
  updates: number;
}

/** Who an update is for: a messenger account, or a seeded user that has none. */
export interface UpdateTarget {
  messengerAccountId: string | null;
  userId: number;
}

/** An update that a transaction is to append, and where among its arguments. */
export interface PendingUpdate {
  target: UpdateTarget;
  update: Update;
  at: number;
}

/** Counters of one hash: their fields, and by turns by how much each is raised, with those of the same field before it, and its number. */
export interface Counters {
  /** Which of the transaction's keys the hash is. */
  key: number;
  fields: string[];
  raises: number[];
}
