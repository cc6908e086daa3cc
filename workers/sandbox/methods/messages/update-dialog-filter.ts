import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerUser } from '../../examples/input-peers.ts';
import { putFolder, readFolders } from '../../model/conversations/folders.ts';
import { readFolder } from '../../model/conversations/read-folder.ts';

const ID_MIN = 2;
const ID_MAX = 255;

// The limit for an account without Premium. Source: core.telegram.org/api/config.
const FOLDERS_MAX = 10;

/**
 * Creates or changes a folder of dialogs, or without `filter` removes it. Errors: those of `readFolder`, `FILTER_ID_INVALID` (also for an
 * eleventh folder), `FILTER_NOT_SUPPORTED` for other kinds of folders.
 */
export const updateDialogFilter = defineMethod(
  'messages.updateDialogFilter',
  async ({ id, filter }, call) => {
    if (id < ID_MIN || id > ID_MAX) throw new MessengerError('FILTER_ID_INVALID');
    if (filter && filter._ !== 'dialogFilter') throw new MessengerError('FILTER_NOT_SUPPORTED');
    const folders = await readFolders(call);
    const folder = filter ? await readFolder(call, id, filter, folders.byId.get(id)) : null;
    const isKnown = folders.byId.has(id);
    if (!isKnown && (!folder || folders.byId.size >= FOLDERS_MAX))
      throw new MessengerError('FILTER_ID_INVALID');
    putFolder(call, folders, id, folder);
    return true;
  },
);

export const example: Example<'messages.updateDialogFilter'> = async (context) => ({
  id: 2,
  filter: {
    _: 'dialogFilter',
    id: 2,
    title: { _: 'textWithEntities', text: 'Friends', entities: [] },
    pinnedPeers: [],
    includePeers: [await peerUser(context, 'contactId')],
    excludePeers: [],
    contacts: true,
  },
});

export const difference =
  'At most 100 peers in the three lists of a folder together. There are no shared folders.';
