/** What `npm test` runs: the folders of test/ that together take a few minutes. */
export const QUICK_PARTS = ['unit', 'integration', 'stories'];

/** What `npm run test:rest` runs. */
export const SLOW_PARTS = [
  'growth',
  'generated',
  'clients',
  'e2e',
  'browser',
  'load',
  'strangers',
  'chaos',
  'cluster',
];

/**
 * The arguments for vitest that pick the parts to run. Words and `--project` pick tests themselves.
 * @param {string[]} parts
 * @param {string[]} args
 */
export function pickParts(parts, args) {
  const isPicked = args.some((arg) => !arg.startsWith('-') || arg.startsWith('--project'));
  return isPicked ? args : [...parts.flatMap((name) => ['--project', name]), ...args];
}
