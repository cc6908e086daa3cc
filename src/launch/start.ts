import { ConfigError, readConfig } from '../config.ts';
import { openLogger, openLogStream } from '../logger.ts';
import { StartError } from '../run-process.ts';
import { bringUp } from './bring-up.ts';
import { listenForStop } from './listen-for-stop.ts';
import { Stack } from './stack.ts';

// `npm start`: starts every part, waits for Ctrl-C, and stops the parts in reverse order, even if the start was not complete.
const stack = new Stack();
// The process goes on when the reader of its output is gone, as after `| head`.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
const stop = listenForStop(() => stack.hurry());
try {
  const config = readConfig();
  const up = bringUp({
    config,
    log: openLogger(config, 'supervisor', await openLogStream(config)),
    stack,
    signal: stop.signal,
  });
  await Promise.race([up, stop.requested]);
  await stop.requested;
  process.stderr.write('\nStopping…\n');
  // A start in progress gives up at its next step, or ends and is stopped below.
  await Promise.all([up.catch(() => {}), stack.close()]);
} catch (error) {
  // These say in a sentence what to change; any other error is a defect, and needs its stack.
  const isExplained = error instanceof ConfigError || error instanceof StartError;
  process.stderr.write(
    isExplained ? `${error.message}\n` : `${error instanceof Error ? error.stack : error}\n`,
  );
  process.exitCode = 1;
}
await stack.close();
process.exit();
