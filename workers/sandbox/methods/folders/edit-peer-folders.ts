import type { tl } from '@mtcute/core';
import type { TlJson, Update } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerUser } from '../../examples/input-peers.ts';
import {
  ARCHIVE,
  ARCHIVED_MAX,
  listArchived,
  listArchivedByDate,
} from '../../model/conversations/archive.ts';
import { archivedKey } from '../../model/conversations/keys.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';
import { notifyOfEvent } from '../../model/people/account-events.ts';

const PEERS_MAX = 100;

/**
 * Moves dialogs into the archive (folder 1), or out of it (folder 0). Those that are there already are not counted as moved. Errors:
 * `FOLDER_ID_INVALID` (also for a full archive).
 */
export const editPeerFolders = defineMethod('folders.editPeerFolders', async ({ folderPeers }, call) => {
  const { tx, account } = call;
  const asked = folderPeers.slice(0, PEERS_MAX);
  if (asked.some(({ folderId }) => folderId !== 0 && folderId !== ARCHIVE))
    throw new MessengerError('FOLDER_ID_INVALID');
  const [peers, marked, archived] = await Promise.all([
    Promise.all(asked.map(({ peer }) => resolvePeer(call, peer, { left: true }))),
    listArchived(call),
    listArchivedByDate(call),
  ]);
  // Of the marks of peers without a dialog, those that are asked for count.
  const markedPeers = peers.map(({ key }) => key).filter((key) => marked.includes(key));
  const after = new Set([...archived.map(({ key }) => key), ...markedPeers]);
  const moved = peers.flatMap((peer, i) => {
    const folderId = asked[i]?.folderId ?? 0;
    if (after.has(peer.key) === (folderId === ARCHIVE)) return [];
    if (folderId === ARCHIVE) after.add(peer.key);
    else after.delete(peer.key);
    return [{ _: 'folderPeer' as const, peer: toTlPeer(peer), folderId }];
  });
  // Calls at the same time may have put in more: what only takes out must pass.
  if (after.size > ARCHIVED_MAX && moved.some(({ folderId }) => folderId === ARCHIVE))
    throw new MessengerError('FOLDER_ID_INVALID');
  // Also removes marks of dialogs that no longer exist: deleting a dialog's last message leaves its mark.
  for (const key of marked) if (!after.has(key)) tx.srem(archivedKey(account.userId), key);
  for (const key of after) if (!marked.includes(key)) tx.sadd(archivedKey(account.userId), key);
  const updates = moved.length > 0 ? [notifyOfMove(call, moved)] : [];
  const mentioned = await listMentioned(
    call,
    moved.map(({ peer }) => peer),
  );
  return { _: 'updates', updates, ...mentioned, date: call.date, seq: 0 };
});

function notifyOfMove(call: CallContext, folderPeers: TlJson<tl.RawFolderPeer>[]): Update {
  const { id: accountId, userId: id } = call.account;
  const ptsCount = folderPeers.length;
  const event = (pts: number): Update => ({ _: 'updateFolderPeers', folderPeers, pts, ptsCount });
  return notifyOfEvent(call, { id, accountId }, ptsCount, event).update;
}

export const example: Example<'folders.editPeerFolders'> = async (context) => ({
  folderPeers: [{ _: 'inputFolderPeer', peer: await peerUser(context, 'friendId'), folderId: 1 }],
});

export const difference =
  'Only the first 100 count. The archive holds 200, and new messages take nothing out of it.';
