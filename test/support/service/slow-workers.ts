import { fileURLToPath } from 'node:url';

const PRELOAD = fileURLToPath(new URL('slow-methods.mjs', import.meta.url));

/** The settings of a service whose workers use so much more CPU for each call of `help.getSupport`. */
export function slowWorkers(ms: number): Record<string, string> {
  return { NODE_OPTIONS: `--import ${PRELOAD}`, SLOW_METHOD_MS: String(ms) };
}
