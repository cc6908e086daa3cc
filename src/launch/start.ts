import { ConfigError, readConfig } from '../config.ts';
import { openLogger } from '../logger.ts';
import { StartError } from '../run-process.ts';
import { bringUp } from './bring-up.ts';
import { listenForStop } from './listen-for-stop.ts';
import { Stack } from './stack.ts';

// `npm start`: brings everything up, waits for Ctrl-C, and takes it down in the reverse order, however far it got.
const stack = new Stack();
// With nobody to read what we print, as behind `| head`, all goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
const stop = listenForStop(() => stack.hurry());
try {
  const config = readConfig();
  const up = bringUp({
    config,
    log: openLogger(config, 'supervisor'),
    stack,
    signal: stop.signal,
  });
  await Promise.race([up, stop.requested]);
  await stop.requested;
  process.stderr.write('\nStopping…\n');
  // What is still on its way up gives up at its next step, or comes up to be taken down below.
  await Promise.all([up.catch(() => {}), stack.close()]);
} catch (error) {
  const isForPeople = error instanceof ConfigError || error instanceof StartError;
  process.stderr.write(
    isForPeople ? `${error.message}\n` : `${error instanceof Error ? error.stack : error}\n`,
  );
  process.exitCode = 1;
}
await stack.close();
process.exit();
