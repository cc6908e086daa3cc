import { defineMethod } from '../../driver.ts';
import { addDocument } from '../model/documents.ts';
import { formatOfMime } from '../model/themes.ts';

/** Makes a theme file of uploaded parts, for `account.createTheme`. */
export const uploadTheme = defineMethod('account.uploadTheme', async (params, call) => {
  const { file, fileName, mimeType } = params;
  formatOfMime(mimeType);
  return addDocument(call, file, mimeType, [{ _: 'documentAttributeFilename', fileName }]);
});
