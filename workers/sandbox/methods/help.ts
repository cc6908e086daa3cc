// Made by `npm run docs` from the files in `methods/`; do not edit.
import * as getSupport from './help/get-support.ts';

export const methods = {
  'help.getSupport': getSupport.getSupport,
};

export const examples = {
  'help.getSupport': getSupport.example,
};

export const differences = {
  'help.getSupport': getSupport.difference,
};
