import type { CallContext } from '../../../driver.ts';
import type { PeerKey } from '../common/keys.ts';
import { archivedKey, dialogsKey } from './keys.ts';

/** The folder of archived dialogs. */
export const ARCHIVE = 1;

/** The most dialogs in the archive: each page of the other dialogs has to skip them all. */
export const ARCHIVED_MAX = 200;

/** The dialogs in the archive of the calling account. */
export async function listArchived({ tx, account }: CallContext): Promise<PeerKey[]> {
  return (await tx.read.smembers(tx.key(archivedKey(account.userId)))) as PeerKey[];
}

/** The dialogs in the archive with the dates of their last messages, latest first. */
export async function listArchivedByDate(call: CallContext): Promise<{ key: PeerKey; date: number }[]> {
  const { tx, account } = call;
  const keys = await listArchived(call);
  if (keys.length === 0) return [];
  const dates = await tx.read.zmscore(tx.key(dialogsKey(account.userId)), ...keys);
  return keys
    .flatMap((key, i) => (dates[i] == null ? [] : [{ key, date: Number(dates[i]) }]))
    .sort((a, b) => b.date - a.date || (a.key < b.key ? 1 : -1));
}

/** Whether each of these dialogs is in the archive. */
export async function areArchived(
  { tx, account }: CallContext,
  keys: readonly PeerKey[],
): Promise<boolean[]> {
  if (keys.length === 0) return [];
  const found = await tx.read.smismember(tx.key(archivedKey(account.userId)), ...keys);
  return found.map((one) => one === 1);
}

/** `folderId` if a dialog is in the archive, as the full view of its peer has it; otherwise nothing. */
export async function viewFolder(call: CallContext, key: PeerKey): Promise<{ folderId?: number }> {
  const [isArchived] = await areArchived(call, [key]);
  return isArchived ? { folderId: ARCHIVE } : {};
}
