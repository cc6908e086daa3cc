import type { Update } from '../tl/tl-json.ts';
import type { KeyType, StateKey } from './state-key.ts';

/** An argument of the commit script, or of a command in it. */
export type Argument = string | number;

/** A transaction, encoded for the commit script. */
export interface EncodedTransaction {
  /** The state keys it uses; of each its type, the number of writes to it, and whether something is added to it. */
  keys: StateKey[];
  types: KeyType[];
  writes: number[];
  isAddedTo: boolean[];
  /** The reply: a text, or the number of a template that the script fills in. */
  reply: Argument;
  /** The arguments after the indexes of the keys, in parts. */
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

/** An update that a transaction appends, and its position among the arguments. */
export interface PendingUpdate {
  target: UpdateTarget;
  update: Update;
  at: number;
}
