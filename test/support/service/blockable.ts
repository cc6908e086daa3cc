import { fileURLToPath } from 'node:url';

const PRELOAD = fileURLToPath(new URL('block-on-signal.mjs', import.meta.url));

/** The settings of a process whose event loop stands still for so long whenever it gets SIGUSR2. */
export function blockable(ms: number): Record<string, string> {
  return { NODE_OPTIONS: `--import ${PRELOAD}`, BLOCK_MS: String(ms) };
}
