import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { readDatedPage } from '../../model/common/dated-page.ts';
import type { PeerKey } from '../../model/common/keys.ts';
import { hashOfIds } from '../../model/common/list-hash.ts';
import { dialogsKey } from '../../model/conversations/keys.ts';
import { readNewestIds, viewDialogs } from '../../model/dialogs/view-dialogs.ts';
import { readOffsetPeer } from '../../model/peers/offset-peer.ts';

const FOLDERS: readonly (number | undefined)[] = [undefined, 0];
const ARCHIVE = 1;

/**
 * The conversations of the account, latest first: `messages.dialogs` where that is all of them, else a slice. Nothing is ever in
 * the archive. Errors: `FOLDER_ID_INVALID`, `OFFSET_PEER_ID_INVALID`.
 */
export const getDialogs = defineMethod('messages.getDialogs', async (params, call) => {
  if (params.folderId === ARCHIVE)
    return { _: 'messages.dialogs', dialogs: [], messages: [], chats: [], users: [] };
  if (!FOLDERS.includes(params.folderId)) throw new MessengerError('FOLDER_ID_INVALID');
  const name = dialogsKey(call.account.userId);
  const after = await findOffset(call, params.offsetPeer, name);
  const page = await readDatedPage<PeerKey>(call, name, { ...params, after });
  const newestIds = await readNewestIds(call, page.members);
  if (params.hash !== '0' && params.hash === hashOfIds(newestIds)) {
    return { _: 'messages.dialogsNotModified', count: page.total };
  }
  const shown = await viewDialogs(call, page.members, newestIds);
  return page.isWhole && shown.dialogs.length === page.members.length
    ? { _: 'messages.dialogs', ...shown }
    : { _: 'messages.dialogsSlice', count: page.total, ...shown };
});

async function findOffset(
  call: CallContext,
  input: Parameters<typeof readOffsetPeer>[1],
  name: string,
): Promise<PeerKey | null> {
  try {
    return await readOffsetPeer(call, input, name);
  } catch (error) {
    if (error instanceof MessengerError) throw new MessengerError('OFFSET_PEER_ID_INVALID');
    throw error;
  }
}

export const example: Example<'messages.getDialogs'> = () => ({
  offsetDate: 0,
  offsetId: 0,
  offsetPeer: { _: 'inputPeerEmpty' },
  limit: 20,
  hash: '0',
});

export const difference = 'Nothing is pinned, and nothing is in the archive.';
