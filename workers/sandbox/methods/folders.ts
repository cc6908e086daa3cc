// Made by `npm run docs` from the files in `methods/`; do not edit.
import * as editPeerFolders from './folders/edit-peer-folders.ts';

export const methods = {
  'folders.editPeerFolders': editPeerFolders.editPeerFolders,
};

export const examples = {
  'folders.editPeerFolders': editPeerFolders.example,
};

export const differences = {
  'folders.editPeerFolders': editPeerFolders.difference,
};
