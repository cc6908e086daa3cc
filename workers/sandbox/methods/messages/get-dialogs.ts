import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { type DatedPage, readDatedPage } from '../../model/common/dated-page.ts';
import { readLimit } from '../../model/common/history-window.ts';
import type { PeerKey } from '../../model/common/keys.ts';
import { hashOfIds } from '../../model/common/list-hash.ts';
import { ARCHIVE, listArchivedByDate } from '../../model/conversations/archive.ts';
import { dialogsKey } from '../../model/conversations/keys.ts';
import { readNewestIds, viewDialogs } from '../../model/dialogs/view-dialogs.ts';
import { readOffsetPeer } from '../../model/peers/offset-peer.ts';

type Params = MethodParams<'messages.getDialogs'>;

const FOLDERS: readonly (number | undefined)[] = [undefined, 0, ARCHIVE];

/**
 * The dialogs of the account, latest first: `messages.dialogs` if these are all, else a slice. With a folder, only its dialogs: those in
 * the archive, or all others. Errors: `FOLDER_ID_INVALID`, `OFFSET_PEER_ID_INVALID`.
 */
export const getDialogs = defineMethod('messages.getDialogs', async (params, call) => {
  if (!FOLDERS.includes(params.folderId)) throw new MessengerError('FOLDER_ID_INVALID');
  const name = dialogsKey(call.account.userId);
  const after = await findOffset(call, params.offsetPeer, name);
  const page = await readPage(call, name, params, after);
  const newestIds = await readNewestIds(call, page.members);
  if (params.hash !== '0' && params.hash === hashOfIds(newestIds)) {
    return { _: 'messages.dialogsNotModified', count: page.total };
  }
  const shown = await viewDialogs(call, page.members, newestIds);
  return page.isWhole && shown.dialogs.length === page.members.length
    ? { _: 'messages.dialogs', ...shown }
    : { _: 'messages.dialogsSlice', count: page.total, ...shown };
});

async function readPage(
  call: CallContext,
  name: string,
  params: Params,
  after: PeerKey | null,
): Promise<DatedPage<PeerKey>> {
  if (params.folderId === undefined) return readDatedPage(call, name, { ...params, after });
  const archived = await listArchivedByDate(call);
  if (params.folderId !== ARCHIVE)
    return readDatedPage(call, name, { ...params, after, without: new Set(archived.map(({ key }) => key)) });
  const shown = archived.findIndex(({ key }) => key === after) + 1;
  const rest = archived.slice(shown).filter(({ date }) => shown > 0 || isBehind(date, params));
  const members = rest.slice(0, readLimit(params.limit)).map(({ key }) => key);
  return { members, total: archived.length, isWhole: members.length === archived.length };
}

function isBehind(date: number, { offsetDate }: Params): boolean {
  return offsetDate <= 0 || date < offsetDate;
}

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

export const difference = 'Nothing is pinned; the archive is no dialog. Unread reactions are not counted.';
