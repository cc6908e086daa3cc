import { stateKey } from '../redis/keys.ts';

/** What a state key is in Redis: a hash, a sorted set or a set. */
export type KeyType = 'h' | 'z' | 's';

/** A state key as this process knows it. */
export interface StateKey {
  readonly key: string;
  /** What a commit of this process has found it to be, which it stays; null when none has looked yet. */
  foundType: KeyType | null;
}

const KNOWN_MAX = 100_000;

// Building a key's name and looking it up by its text took a worker longer than most of what it does with it.
const workspaces = new Map<string, Map<string, StateKey>>();
let known = 0;

/** The keys of a workspace by the workspace's own names for them. */
export function stateKeysOf(workspaceId: string): (name: string) => StateKey {
  const keys = workspaces.get(workspaceId) ?? new Map<string, StateKey>();
  workspaces.set(workspaceId, keys);
  return (name) => {
    const found = keys.get(name);
    if (found) return found;
    if (known >= KNOWN_MAX) forget();
    known += 1;
    const made: StateKey = { key: stateKey(workspaceId, name), foundType: null };
    keys.set(name, made);
    return made;
  };
}

// Whoever still holds what is forgotten goes on with it; it only will not be found again.
function forget(): void {
  for (const keys of workspaces.values()) keys.clear();
  workspaces.clear();
  known = 0;
}
