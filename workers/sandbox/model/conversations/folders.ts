import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { notifyOwnSessions } from '../people/users.ts';
import { foldersKey } from './keys.ts';

export type Folder = TlJson<tl.RawDialogFilter>;

/** The folder of all chats, which everybody has. */
export const DEFAULT_FOLDER_ID = 0;

const ORDER = 'order';

/** The folders of the calling account. */
export interface Folders {
  byId: Map<number, Folder>;
  /** Their ids in order, including the folder of all chats. */
  order: number[];
}

export async function readFolders({ tx, account }: CallContext): Promise<Folders> {
  const found = await tx.read.hgetall(tx.key(foldersKey(account.userId)));
  const { [ORDER]: order, ...folders } = found;
  return {
    byId: new Map(Object.entries(folders).map(([id, raw]) => [Number(id), JSON.parse(raw) as Folder])),
    order: order === undefined ? [DEFAULT_FOLDER_ID] : (JSON.parse(order) as number[]),
  };
}

/**
 * Stores a folder, or with null removes it, and notifies the account's other sessions; the commit fails if the folders have changed by
 * then.
 */
export function putFolder(
  call: CallContext,
  { byId, order }: Folders,
  id: number,
  folder: Folder | null,
): void {
  const { tx, account } = call;
  const name = foldersKey(account.userId);
  const before = byId.get(id);
  tx.expectField(name, id, before ? JSON.stringify(before) : null);
  if (folder) tx.hset(name, id, folder);
  else tx.hdel(name, id);
  if (byId.has(id) !== (folder !== null))
    putOrder(call, order, folder ? [...order, id] : order.filter((one) => one !== id));
  notifyOwnSessions(call, { _: 'updateDialogFilter', id, ...(folder ? { filter: folder } : {}) });
}

/** Reorders the folders, and notifies the account's other sessions. */
export function reorderFolders(call: CallContext, before: readonly number[], order: number[]): void {
  putOrder(call, before, order);
  notifyOwnSessions(call, { _: 'updateDialogFilterOrder', order });
}

function putOrder({ tx, account }: CallContext, before: readonly number[], order: readonly number[]): void {
  const name = foldersKey(account.userId);
  const isNew = before.length === 1;
  tx.expectField(name, ORDER, isNew ? null : JSON.stringify(before));
  if (order.length === 1) tx.hdel(name, ORDER);
  else tx.hset(name, ORDER, order);
}
