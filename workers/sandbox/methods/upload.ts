// Made by `npm run docs` from the files in `methods/`; do not edit.
import * as getFile from './upload/get-file.ts';
import * as saveBigFilePart from './upload/save-big-file-part.ts';
import * as saveFilePart from './upload/save-file-part.ts';

export const methods = {
  'upload.getFile': getFile.getFile,
  'upload.saveBigFilePart': saveBigFilePart.saveBigFilePart,
  'upload.saveFilePart': saveFilePart.saveFilePart,
};

export const examples = {
  'upload.getFile': getFile.example,
  'upload.saveBigFilePart': saveBigFilePart.example,
  'upload.saveFilePart': saveFilePart.example,
};

export const differences = {
  'upload.getFile': getFile.difference,
  'upload.saveBigFilePart': saveBigFilePart.difference,
  'upload.saveFilePart': saveFilePart.difference,
};
