// Made by `npm run docs` from the files in `methods/`; do not edit.
import * as getPeerStories from './stories/get-peer-stories.ts';
import * as startLive from './stories/start-live.ts';

export const methods = {
  'stories.getPeerStories': getPeerStories.getPeerStories,
  'stories.startLive': startLive.startLive,
};

export const examples = {
  'stories.getPeerStories': getPeerStories.example,
  'stories.startLive': startLive.example,
};

export const differences = {
  'stories.startLive': startLive.difference,
};
