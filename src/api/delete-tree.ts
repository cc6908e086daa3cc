import { Problem } from '../problem.ts';
import { COLLECTIONS, type Collection, type Records, type View } from '../store/collections.ts';
import { noteDeleted } from '../store/deleted-workspaces.ts';
import { eraseWorkspace } from '../store/erase-workspace.ts';
import { LEDGER_GRACE_MS } from '../store/ledger.ts';
import { listRecords } from '../store/lists.ts';
import { deleteRecord } from '../store/records.ts';
import { eraseLines } from '../webhooks/line-keys.ts';
import type { ApiDeps } from './deps.ts';

const CHILDREN_AT_ONCE = 16;
const TRIES = 10;

/** How a record goes with what is kept of it elsewhere: at its driver, in this process, in its workspace's own keys. */
const ERASE: {
  readonly [C in Collection]: (deps: ApiDeps, record: Records[C]) => Promise<unknown>;
} = {
  async organizations({ directory }, record) {
    await deleteRecord(directory.redis, 'organizations', record);
    directory.apiKeys.forgetAll();
  },
  async workspaces({ directory, clock, config, log }, record) {
    const overIn = Math.max(config.CALL_TIMEOUT_MS, config.ASYNC_CALL_RUN_MS) + LEDGER_GRACE_MS;
    // Calls that are under way write on until then.
    await noteDeleted(directory.redis, record.id, clock.now() + overIn);
    await deleteRecord(directory.redis, 'workspaces', record);
    directory.apiKeys.forgetAll();
    eraseWorkspace(directory.redis, record.id).catch((err) => {
      log.warn({ err, workspaceId: record.id }, 'workspace not erased');
    });
  },
  async 'messenger-accounts'({ directory, accountControl }, record) {
    await accountControl.disconnectAccount(record);
    await deleteRecord(directory.redis, 'messenger-accounts', record);
    directory.accounts.forget(record.id);
  },
  'api-keys': ({ directory }, record) => directory.apiKeys.delete(record),
  async webhooks({ directory }, record) {
    await deleteRecord(directory.redis, 'webhooks', record);
    await eraseLines(directory.redis, record);
  },
};

/** Deletes a record that has nothing beneath it; else `not_empty`. */
export async function deleteLeaf<C extends Collection>(
  deps: ApiDeps,
  collection: C,
  record: Records[C],
): Promise<void> {
  await ERASE[collection](deps, record);
}

/** Deletes a record and all beneath it, from the bottom up; `not_empty` if new children keep arriving meanwhile. */
export async function deleteTree<C extends Collection>(
  deps: ApiDeps,
  collection: C,
  record: Records[C],
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await deleteChildren(deps, collection, record.id);
    try {
      return await deleteLeaf(deps, collection, record);
    } catch (error) {
      const hasNewChildren = error instanceof Problem && error.code === 'not_empty';
      if (!hasNewChildren || attempt === TRIES) throw error;
    }
  }
}

async function deleteChildren(deps: ApiDeps, collection: Collection, id: string): Promise<void> {
  const { children } = COLLECTIONS[collection];
  if (children === null) return;
  const { redis, cursors } = deps.directory;
  const view: View = collection === 'organizations' ? `organization:${id}` : `workspace:${id}`;
  const list = { collection: children, view, filter: '', shown: view };
  for (;;) {
    const { data } = await listRecords(redis, cursors, list, {
      limit: CHILDREN_AT_ONCE,
    });
    if (data.length === 0) return;
    await Promise.all(data.map((child) => deleteTree(deps, children, child)));
  }
}
