import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { DEFAULT_FOLDER_ID, readFolders } from '../../model/conversations/folders.ts';

/** The folders of the account in their order, including the folder of all chats. */
export const getDialogFilters = defineMethod('messages.getDialogFilters', async (_params, call) => {
  const { byId, order } = await readFolders(call);
  return {
    _: 'messages.dialogFilters',
    filters: order.flatMap((id) =>
      id === DEFAULT_FOLDER_ID ? { _: 'dialogFilterDefault' as const } : (byId.get(id) ?? []),
    ),
  };
});

export const example: Example<'messages.getDialogFilters'> = () => ({});
