import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputFile, THEME_FORMAT } from '../../examples/seeded-things.ts';
import { addDocument } from '../../model/files/documents.ts';
import { formatOfMime } from '../../model/themes/themes.ts';

const FILE_NAME_MAX = 255;

/** Makes a theme file from uploaded parts, for `account.createTheme`. */
export const uploadTheme = defineMethod('account.uploadTheme', async (params, call) => {
  const { file, fileName, mimeType } = params;
  formatOfMime(mimeType);
  if (fileName.length > FILE_NAME_MAX) throw new MessengerError('THEME_FILE_INVALID');
  return addDocument(call, file, mimeType, [{ _: 'documentAttributeFilename', fileName }]);
});

export const example: Example<'account.uploadTheme'> = (context) => ({
  file: inputFile(context, 'theme.attheme'),
  fileName: 'theme.attheme',
  mimeType: `application/x-tgtheme-${THEME_FORMAT}`,
});
