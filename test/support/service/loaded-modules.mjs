// Loaded first into a process of a test: tells the files of the CommonJS modules that it has loaded, when it is asked.
import { createRequire } from 'node:module';

const { cache } = createRequire(import.meta.url);

process.on('message', (message) => {
  if (message === 'loaded modules') process.send?.(Object.keys(cache));
});
process.channel?.unref();
