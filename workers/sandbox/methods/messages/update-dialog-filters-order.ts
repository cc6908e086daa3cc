import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { firstDistinct } from '../../model/common/first-distinct.ts';
import { DEFAULT_FOLDER_ID, readFolders, reorderFolders } from '../../model/conversations/folders.ts';

/** Reorders the folders; those that are not named come last. Error: `FILTER_ID_INVALID` for an unknown folder. */
export const updateDialogFiltersOrder = defineMethod(
  'messages.updateDialogFiltersOrder',
  async ({ order: asked }, call) => {
    const { order: before } = await readFolders(call);
    // Of more than there are, one is unknown.
    const named = new Set(firstDistinct(asked, before.length + 1));
    for (const id of named) if (!before.includes(id)) throw new MessengerError('FILTER_ID_INVALID');
    const order = [...named, ...before.filter((id) => !named.has(id))];
    reorderFolders(call, before, order);
    return true;
  },
);

export const example: Example<'messages.updateDialogFiltersOrder'> = () => ({ order: [DEFAULT_FOLDER_ID] });
