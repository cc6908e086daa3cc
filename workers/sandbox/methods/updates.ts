// Made by `npm run docs` from the files in `methods/`; do not edit.
import * as getDifference from './updates/get-difference.ts';
import * as getState from './updates/get-state.ts';

export const methods = {
  'updates.getDifference': getDifference.getDifference,
  'updates.getState': getState.getState,
};

export const examples = {
  'updates.getDifference': getDifference.example,
  'updates.getState': getState.example,
};

export const differences = {
  'updates.getDifference': getDifference.difference,
  'updates.getState': getState.difference,
};
