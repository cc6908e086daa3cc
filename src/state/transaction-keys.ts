import type { StateReader } from './batch-reads.ts';
import { type KeyType, type StateKey, stateKeysOf } from './state-key.ts';

// Fewer keys are searched faster than a map of them is made.
const INDEXED_FROM = 16;

/** The state keys of a transaction, each with its type and how often it is written to. */
export class TransactionKeys {
  readonly keys: StateKey[] = [];
  readonly types: KeyType[] = [];
  readonly writes: number[] = [];
  /** Whether something is added to the key, which may create it. */
  readonly isAddedTo: boolean[] = [];
  /** Finds a key by its name within the workspace. */
  readonly find: (name: string) => StateKey;
  /** The indexes by name; null while there are few keys. */
  private indexes: Map<string, number> | null = null;

  constructor(redis: StateReader, workspaceId: string) {
    this.find = stateKeysOf(redis, workspaceId);
  }

  /** The index of a key, counted from 1; a new key is added. Throws a `TypeError` if the key is used with another type. */
  indexFor(name: string, type: KeyType): number {
    const known = this.indexOf(name);
    if (known === 0) {
      this.types.push(type);
      this.writes.push(0);
      this.isAddedTo.push(false);
      const index = this.keys.push(this.find(name));
      this.indexes?.set(name, index);
      return index;
    }
    const asked = this.types[known - 1];
    if (asked !== type) throw new TypeError(`${name} is used as ${asked} and as ${type}`);
    return known;
  }

  /** The index of a key that was added before; 0 for any other. */
  indexOf(name: string): number {
    const { keys } = this;
    if (keys.length >= INDEXED_FROM) {
      this.indexes ??= new Map(keys.map((key, i) => [key.name, i + 1]));
      return this.indexes.get(name) ?? 0;
    }
    // By name, for the cache may have dropped a key meanwhile. A call uses few keys, so this is faster than looking its key up.
    for (let i = 0; i < keys.length; i += 1) if ((keys[i] as StateKey).name === name) return i + 1;
    return 0;
  }

  /** Counts a write to the key of this index. */
  countWrite(index: number, isAddition: boolean): void {
    this.writes[index - 1] = (this.writes[index - 1] as number) + 1;
    if (isAddition) this.isAddedTo[index - 1] = true;
  }
}
