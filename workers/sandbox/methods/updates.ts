// Made by `npm run docs` from the files in `methods/`; do not edit.
import * as getChannelDifference from './updates/get-channel-difference.ts';
import * as getDifference from './updates/get-difference.ts';
import * as getState from './updates/get-state.ts';

export const methods = {
  'updates.getChannelDifference': getChannelDifference.getChannelDifference,
  'updates.getDifference': getDifference.getDifference,
  'updates.getState': getState.getState,
};

export const examples = {
  'updates.getChannelDifference': getChannelDifference.example,
  'updates.getDifference': getDifference.example,
  'updates.getState': getState.example,
};

export const differences = {
  'updates.getChannelDifference': getChannelDifference.difference,
  'updates.getDifference': getDifference.difference,
  'updates.getState': getState.difference,
};
