import { type Config, inheritEnvironment } from '../../config.ts';
import { hasColours, isPretty } from '../../logger.ts';

// Longer than the processes' own limit for stopping.
const EXTRA_GRACE_MS = 15_000;

/** The environment of child processes. They write to pipes, which end where this process writes to. */
export function childEnvironment(
  config: Config,
  settings: Parameters<typeof inheritEnvironment>[0] = {},
): NodeJS.ProcessEnv {
  const env = inheritEnvironment({ ...settings, LOG_FORMAT: isPretty(config) ? 'pretty' : 'json' });
  return hasColours() ? { ...env, FORCE_COLOR: '1' } : env;
}

/** How long child processes may take to stop. */
export function stopGraceMs({ SHUTDOWN_GRACE_MS: grace }: Config): number {
  return grace + EXTRA_GRACE_MS;
}
