import { stateKey } from '../redis/keys.ts';

/** What a state key is in Redis: a hash, a sorted set or a set. */
export type KeyType = 'h' | 'z' | 's';

/** A state key as this process knows it. */
export interface StateKey {
  readonly key: string;
  /** The workspace's own name for it. */
  readonly name: string;
  /** Until when its name is in the workspace's index of keys, whatever becomes of the key (ms since the epoch). */
  notedUntil: number;
  /** How often the connection had been cut when it was noted. */
  notedCuts: number;
  /** What a commit of this process has found it to be, which it stays; null when none has looked yet. */
  foundType: KeyType | null;
}

type Find = (name: string) => StateKey;

interface Workspace {
  keys: Map<string, StateKey>;
  /** Those that were known before the last time keys were forgotten, and have not been asked for since. */
  before: Map<string, StateKey>;
  find: Find;
}

/** What the names of all keys of async calls begin with, before a colon. */
export const ASYNC_PREFIX = 'async';

const KNOWN_MAX = 50_000;

// Building a key's name and looking it up by its text took a worker longer than most of what it does with it.
const workspaces = new Map<string, Workspace>();
let known = 0;

/** The keys of a workspace by the workspace's own names for them. */
export function stateKeysOf(workspaceId: string): Find {
  return (workspaces.get(workspaceId) ?? open(workspaceId)).find;
}

function open(workspaceId: string): Workspace {
  const workspace: Workspace = {
    keys: new Map(),
    before: new Map(),
    find(name) {
      const found = workspace.keys.get(name);
      if (found) return found;
      if (known >= KNOWN_MAX) forget();
      const key = workspace.before.get(name) ?? newKey(workspaceId, name);
      workspace.keys.set(name, key);
      known += 1;
      return key;
    },
  };
  workspaces.set(workspaceId, workspace);
  return workspace;
}

function newKey(workspaceId: string, name: string): StateKey {
  // Those of async calls are found by the calls, of which there may be very many.
  const never = name.startsWith(`${ASYNC_PREFIX}:`) ? Number.POSITIVE_INFINITY : 0;
  return { key: stateKey(workspaceId, name), name, notedUntil: never, notedCuts: never, foundType: null };
}

// What is in use at this moment is found again, with what is known of it.
function forget(): void {
  for (const [workspaceId, workspace] of workspaces) {
    workspace.before = workspace.keys;
    workspace.keys = new Map();
    if (workspace.before.size === 0) workspaces.delete(workspaceId);
  }
  known = 0;
}
