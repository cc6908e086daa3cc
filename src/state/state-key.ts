import { stateKey } from '../redis/keys.ts';

/** The type of a state key in Redis: a hash, a sorted set or a set. */
export type KeyType = 'h' | 'z' | 's';

/** A state key as this process knows it. */
export interface StateKey {
  readonly key: string;
  /** Its name within the workspace. */
  readonly name: string;
  /** Until when its name is certainly in the workspace's index of keys, even if the key is deleted (ms since the epoch). */
  notedUntil: number;
  /** How many times the connection had been cut when the key was noted. */
  notedCuts: number;
  /** Its type, as found by a commit of this process; it never changes. Null if no commit has checked it yet. */
  foundType: KeyType | null;
}

type Find = (name: string) => StateKey;

interface Workspace {
  keys: Map<string, StateKey>;
  /** The generation before: keys that were not used since the last `forget`. */
  before: Map<string, StateKey>;
  find: Find;
}

/** The prefix of all key names of async calls, followed by a colon. */
export const ASYNC_PREFIX = 'async';

const KNOWN_MAX = 50_000;

// A cache: building the full key and looking it up by its text cost a worker more than most uses of the key.
const workspaces = new Map<string, Workspace>();
let known = 0;

/** The keys of a workspace, by their names within it. */
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
  // Keys of async calls are not indexed: there may be very many, and the calls lead to them.
  const never = name.startsWith(`${ASYNC_PREFIX}:`) ? Number.POSITIVE_INFINITY : 0;
  return { key: stateKey(workspaceId, name), name, notedUntil: never, notedCuts: never, foundType: null };
}

// Keys that are in use move on from the generation before, with all that is known of them.
function forget(): void {
  for (const [workspaceId, workspace] of workspaces) {
    workspace.before = workspace.keys;
    workspace.keys = new Map();
    if (workspace.before.size === 0) workspaces.delete(workspaceId);
  }
  known = 0;
}
