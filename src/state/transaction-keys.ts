import { type KeyType, type StateKey, stateKeysOf } from './state-key.ts';

/** The state keys of a transaction, each with its type and how often it is written to. */
export class TransactionKeys {
  readonly keys: StateKey[] = [];
  readonly types: KeyType[] = [];
  readonly writes: number[] = [];
  /** Whether something is put into the key, which may be what makes it. */
  readonly isAddedTo: boolean[] = [];
  /** A key of the workspace by its own name for it. */
  readonly find: (name: string) => StateKey;

  constructor(workspaceId: string) {
    this.find = stateKeysOf(workspaceId);
  }

  /** Which of the keys that is, counted from 1; a key that is new becomes the last. A `TypeError` where it has another type. */
  place(name: string, type: KeyType): number {
    const known = this.placeOf(name);
    if (known === 0) {
      this.types.push(type);
      this.writes.push(0);
      this.isAddedTo.push(false);
      return this.keys.push(this.find(name));
    }
    const asked = this.types[known - 1];
    if (asked !== type) throw new TypeError(`${name} is used as ${asked} and as ${type}`);
    return known;
  }

  /** The same of a key that is among them; 0 for any other. */
  placeOf(name: string): number {
    const key = this.find(name);
    // By its name: a process that has forgotten a key since makes another of the same name.
    return this.keys.findIndex((one) => one === key || one.key === key.key) + 1;
  }

  /** Counts a write to the key of that place. */
  noteWrite(place: number, isAddition: boolean): void {
    this.writes[place - 1] = (this.writes[place - 1] as number) + 1;
    if (isAddition) this.isAddedTo[place - 1] = true;
  }
}
