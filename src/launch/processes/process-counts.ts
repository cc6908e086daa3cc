import { availableParallelism } from 'node:os';
import { type Config, ConfigError } from '../../config.ts';

const PORT_MAX = 65_535;

/** How many worker processes there may be. */
export interface WorkerCounts {
  min: number;
  max: number;
}

/** How many API processes a setting asks for; with `auto` one for every two cores, as workers and Redis need the others. */
export function countApis(given: number | 'auto', cores = availableParallelism()): number {
  return given === 'auto' ? Math.max(1, Math.floor(cores / 2)) : given;
}

/** The range of workers that a setting allows; with `auto` at most one for each core, as a worker is one thread. */
export function countWorkers(
  given: Config['SWITCHBOARD_WORKERS'],
  cores = availableParallelism(),
): WorkerCounts {
  return given === 'auto' ? { min: 1, max: cores } : { min: given, max: given };
}

/** The environment that gives worker `number` its own metrics port: worker 1 gets the configured port, the others the ports after it. */
export function metricsPort(
  { WORKER_METRICS_PORT: first }: Pick<Config, 'WORKER_METRICS_PORT'>,
  number: number,
): NodeJS.ProcessEnv {
  if (!first) return {};
  const port = first + number - 1;
  // A pool that scales may have one worker more while another drains. If no port is left for that worker, it runs without metrics.
  return { WORKER_METRICS_PORT: port <= PORT_MAX ? String(port) : '' };
}

/** Throws a `ConfigError` if the workers' metrics ports go beyond the last port or include the API's port. */
export function checkMetricsPort({
  PORT: port,
  WORKER_METRICS_PORT: first = 0,
  SWITCHBOARD_WORKERS: given,
}: Pick<Config, 'PORT' | 'WORKER_METRICS_PORT' | 'SWITCHBOARD_WORKERS'>): void {
  const { min, max } = countWorkers(given);
  if (first + max - 1 > PORT_MAX)
    throw new ConfigError(
      `The setting WORKER_METRICS_PORT is wrong: ${max} workers need as many ports, so give ${PORT_MAX - max + 1} or less.`,
    );
  // A pool that scales may have one worker more while another drains; a fixed one may not.
  const last = max > min ? first + max : first + max - 1;
  if (first > 0 && first <= port && port <= last)
    throw new ConfigError(
      `The setting WORKER_METRICS_PORT is wrong: ${first} to ${last} are for workers, and PORT is ${port}.`,
    );
}
