import cluster from 'node:cluster';
import { ConfigError, readConfig } from '../config.ts';
import { runProcess } from '../run-process.ts';
import { childEnvironment, stopGraceMs } from './processes/child-environment.ts';
import { countApis } from './processes/process-counts.ts';
import { superviseApis } from './processes/supervise-apis.ts';

// `npm run api`: one API process, which is this one, or several on one port, which this one starts.
const count = readCount();
if (count === 1) await import('../api/main.ts');
else {
  // If nobody reads the output, as after `| head`, the processes go on.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  await runProcess('supervisor', async (config, log) => {
    let isUp = false;
    cluster.once('listening', () => {
      isUp = true;
    });
    return superviseApis({
      count,
      env: childEnvironment(config),
      graceMs: stopGraceMs(config),
      mayPrint: Promise.resolve(),
      onCrash(name, how) {
        // It has reported why it cannot start.
        if (!isUp && how.code === 1) process.exit(1);
        log.warn({ process: name, ...how }, 'process ended; starting it again');
      },
    });
  });
}

// Errors in the settings are reported where they are read next.
function readCount(): number {
  try {
    return countApis(readConfig().SWITCHBOARD_API_PROCESSES ?? 1);
  } catch (error) {
    if (error instanceof ConfigError) return 1;
    throw error;
  }
}
