// Made by `npm run docs` from the files in `methods/`; do not edit.
import * as getMessagePublicForwards from './stats/get-message-public-forwards.ts';
import * as getMessageStats from './stats/get-message-stats.ts';
import * as loadAsyncGraph from './stats/load-async-graph.ts';

export const methods = {
  'stats.getMessagePublicForwards': getMessagePublicForwards.getMessagePublicForwards,
  'stats.getMessageStats': getMessageStats.getMessageStats,
  'stats.loadAsyncGraph': loadAsyncGraph.loadAsyncGraph,
};

export const examples = {
  'stats.getMessagePublicForwards': getMessagePublicForwards.example,
  'stats.getMessageStats': getMessageStats.example,
  'stats.loadAsyncGraph': loadAsyncGraph.example,
};

export const differences = {
  'stats.getMessageStats': getMessageStats.difference,
};
