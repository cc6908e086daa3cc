import { join } from 'node:path';
import type { Config } from '../config.ts';
import { explainListenError } from '../listen-error.ts';
import type { Logger } from '../logger.ts';
import { checkRedis } from '../redis/check-redis.ts';
import { openRedis } from '../redis/connections.ts';
import { showRedisAddress } from '../redis-address.ts';
import { StartError } from '../run-process.ts';
import { formatBanner } from './banner.ts';
import { claimDataDir } from './data-dir/claim-data-dir.ts';
import { explainDataDir, makeDataDir } from './data-dir/make-data-dir.ts';
import { findFreePort } from './find-free-port.ts';
import { localOrigin } from './local-origin.ts';
import { openManagementClient } from './management-client.ts';
import { startPrivateRedis } from './private-redis/private-redis.ts';
import { childEnvironment } from './processes/child-environment.ts';
import type { ScalingFigures } from './processes/follow-scaling.ts';
import { checkMetricsPort, countApis, countWorkers, metricsPort } from './processes/process-counts.ts';
import { startProcesses } from './processes/start-processes.ts';
import { loadRootKey } from './root-key.ts';
import { seedDemo } from './seed-demo.ts';
import type { Stack } from './stack.ts';
import { untilMetricsPortFree } from './until-port-free.ts';

// Nothing is scaled until the load was read. The next read may reach another API process.
const SCALING_TIMEOUT_MS = 5_000;

interface Options {
  config: Config;
  log: Logger;
  /** Receives every part that has been started. */
  stack: Stack;
  signal: AbortSignal;
}

/** Starts Redis, the API processes and the workers, seeds the demo, and prints the addresses. */
export async function bringUp({ config, log, stack, signal }: Options): Promise<void> {
  const { HOST: host, SWITCHBOARD_DATA_DIR: dataDir } = config;
  checkMetricsPort(config);
  makeDataDir(dataDir);
  const port = config.PORT || (await chooseFreePort(host));
  const origin = localOrigin(host, port);
  const inDataDir = <Result>(work: () => Promise<Result>) =>
    work().catch((error) => Promise.reject(explainDataDir(error, dataDir)));
  await inDataDir(() => claimDataDir({ dataDir, host, port, origin, log, stack, signal }));
  await untilMetricsPortsFree(config, signal);
  signal.throwIfAborted();

  const redisUrl = await inDataDir(() => bringUpRedis(config, stack, signal));
  signal.throwIfAborted();

  const rootKey = await inDataDir(async () => loadRootKey(config));
  const env = childEnvironment(config, {
    PORT: String(port),
    REDIS_URL: redisUrl,
    REDIS_CLUSTER: '',
    SWITCHBOARD_ROOT_KEY: rootKey.key,
  });
  const processes = startProcesses({ config, env, log, stack });
  await processes.untilReady(origin, signal);

  const client = openManagementClient(origin, rootKey.key);
  const demo = await seedDemo(client, join(dataDir, 'demo.json')).catch((error: Error) => {
    if (!signal.aborted) log.warn({ err: error }, 'the demo could not be seeded; the next start tries again');
    return null;
  });
  signal.throwIfAborted();
  const redis = config.REDIS_URL ? showRedisAddress(redisUrl) : `private, in ${join(dataDir, 'redis')}`;
  const apis = countApis(config.SWITCHBOARD_API_PROCESSES ?? 'auto');
  const workers = countWorkers(config.SWITCHBOARD_WORKERS);
  process.stdout.write(formatBanner({ origin, rootKeyFile: rootKey.file, redis, apis, workers, demo }));
  processes.showLogs();
  processes.followLoad(() => client.find<ScalingFigures>('scaling', { timeoutMs: SCALING_TIMEOUT_MS }));
}

// A worker without its port would be started again and again, and the API never be ready.
async function untilMetricsPortsFree(config: Config, signal: AbortSignal): Promise<void> {
  const { HOST: host, SWITCHBOARD_WORKERS: given, SHUTDOWN_GRACE_MS: graceMs } = config;
  for (let number = 1; number <= countWorkers(given).max; number += 1) {
    const { WORKER_METRICS_PORT: port } = metricsPort(config, number);
    if (port) await untilMetricsPortFree(host, Number(port), { graceMs, signal });
  }
}

async function chooseFreePort(host: string): Promise<number> {
  try {
    return await findFreePort(host);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StartError(explainListenError(code ?? message, { setting: 'PORT', host, port: 0 }));
  }
}

async function bringUpRedis(
  { REDIS_URL: url, SWITCHBOARD_DATA_DIR: dataDir }: Config,
  stack: Stack,
  signal: AbortSignal,
): Promise<string> {
  if (url) {
    const redis = openRedis(url, 'request', () => undefined);
    const givenUp = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    // The processes log warnings themselves. The check may take minutes, as where Redis loads its data.
    const checked = checkRedis(redis, url, () => undefined);
    await Promise.race([checked, givenUp]).finally(() => redis.disconnect());
    return url;
  }
  const starting = startPrivateRedis({
    dataDir,
    report: (line) => process.stderr.write(`${line}\n`),
    signal,
  });
  // At once: the lock of the data folder must not be released while the Redis still starts.
  stack.add({ close: async () => (await starting.catch(() => null))?.close() });
  return (await starting).url;
}
