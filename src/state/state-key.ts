import { stateKey } from '../redis/keys.ts';
import type { StateReader } from './batch-reads.ts';

/** The type of a state key in Redis: a hash, a sorted set or a set. */
export type KeyType = 'h' | 'z' | 's';

/** A state key as it is known over a connection. */
export interface StateKey {
  readonly key: string;
  /** Its name within the workspace. */
  readonly name: string;
  /**
   * Until when it need not be added to the workspace's index of keys (ms since the epoch): its name is there even if the key is deleted, or
   * is never indexed.
   */
  indexedUntil: number;
  /** How many times the connection had been lost when the key was indexed. */
  disconnects: number;
  /** Its type, as found by a commit of this process; it never changes. Null if no commit has checked it yet. */
  foundType: KeyType | null;
}

type Find = (name: string) => StateKey;

interface Workspace {
  keys: Map<string, StateKey>;
  /** The generation before the last `forget`. Keys that were used since are in `keys` too. */
  before: Map<string, StateKey>;
  find: Find;
}

/** The prefix of the names of async calls' keys; a colon follows. */
export const ASYNC_PREFIX = 'async';

const KNOWN_MAX = 50_000;

// What is known of a key holds only for the Redis that it was learned from.
const known = new WeakMap<StateReader, KnownKeys>();

/** Returns the function that finds a key of a workspace by its name within it, with what is known of the key over that connection. */
export function stateKeysOf(redis: StateReader, workspaceId: string): Find {
  let keys = known.get(redis);
  if (keys === undefined) {
    keys = new KnownKeys();
    known.set(redis, keys);
  }
  return keys.of(workspaceId);
}

/** A cache: building the full key and looking it up by its text cost a worker more than most uses of the key. */
class KnownKeys {
  private readonly workspaces = new Map<string, Workspace>();
  private count = 0;

  of(workspaceId: string): Find {
    return (this.workspaces.get(workspaceId) ?? this.open(workspaceId)).find;
  }

  private open(workspaceId: string): Workspace {
    const workspace: Workspace = {
      keys: new Map(),
      before: new Map(),
      find: (name) => {
        const found = workspace.keys.get(name);
        if (found) return found;
        if (this.count >= KNOWN_MAX) this.forget();
        const key = workspace.before.get(name) ?? newKey(workspaceId, name);
        workspace.keys.set(name, key);
        this.count += 1;
        return key;
      },
    };
    this.workspaces.set(workspaceId, workspace);
    return workspace;
  }

  // Keys that are in use move on from the generation before, with all that is known of them.
  private forget(): void {
    for (const [workspaceId, workspace] of this.workspaces) {
      workspace.before = workspace.keys;
      workspace.keys = new Map();
      if (workspace.before.size === 0) this.workspaces.delete(workspaceId);
    }
    this.count = 0;
  }
}

function newKey(workspaceId: string, name: string): StateKey {
  // Keys of async calls are not indexed: there may be very many, and the calls lead to them.
  const isIndexed = !name.startsWith(`${ASYNC_PREFIX}:`);
  const skipped = isIndexed ? 0 : Number.POSITIVE_INFINITY;
  return {
    key: stateKey(workspaceId, name),
    name,
    indexedUntil: skipped,
    disconnects: skipped,
    foundType: null,
  };
}
