import { defineMethod, MessengerError } from '../../../driver.ts';
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

/** Moves dialogs into the archive (folder 1), or out of it (folder 0). Errors: `FOLDER_ID_INVALID` (also for a full archive). */
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
  const after = new Set(archived.map(({ key }) => key));
  for (const [i, { key }] of peers.entries()) {
    if (asked[i]?.folderId === ARCHIVE) after.add(key);
    else after.delete(key);
  }
  if (after.size > ARCHIVED_MAX) throw new MessengerError('FOLDER_ID_INVALID');
  // Also removes marks of dialogs that no longer exist: deleting a dialog's last message leaves its mark.
  for (const key of marked) if (!after.has(key)) tx.srem(archivedKey(account.userId), key);
  for (const key of after) if (!marked.includes(key)) tx.sadd(archivedKey(account.userId), key);
  const moved = peers.map((peer, i) => ({
    _: 'folderPeer' as const,
    peer: toTlPeer(peer),
    folderId: asked[i]?.folderId ?? 0,
  }));
  const self = { id: account.userId, accountId: account.id };
  const { update } = notifyOfEvent(call, self, moved.length, (pts) => ({
    _: 'updateFolderPeers',
    folderPeers: moved,
    pts,
    ptsCount: moved.length,
  }));
  const mentioned = await listMentioned(
    call,
    moved.map(({ peer }) => peer),
  );
  return { _: 'updates', updates: [update], ...mentioned, date: call.date, seq: 0 };
});

export const example: Example<'folders.editPeerFolders'> = async (context) => ({
  folderPeers: [{ _: 'inputFolderPeer', peer: await peerUser(context, 'friendId'), folderId: 1 }],
});

export const difference =
  'Only the first 100 count. The archive holds 200, and new messages take nothing out of it.';
