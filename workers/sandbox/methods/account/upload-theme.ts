import { defineMethod, MessengerError } from '../../../driver.ts';
import { addDocument } from '../../model/files/documents.ts';
import { formatOfMime } from '../../model/themes/themes.ts';

const FILE_NAME_MAX = 255;

/** Makes a theme file of uploaded parts, for `account.createTheme`. */
export const uploadTheme = defineMethod('account.uploadTheme', async (params, call) => {
  const { file, fileName, mimeType } = params;
  formatOfMime(mimeType);
  if (fileName.length > FILE_NAME_MAX) throw new MessengerError('THEME_FILE_INVALID');
  return addDocument(call, file, mimeType, [{ _: 'documentAttributeFilename', fileName }]);
});
