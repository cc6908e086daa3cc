import { readFileSync } from 'node:fs';

/** The options of Node that the service is run with. */
export function serviceNodeArgs(): string[] {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { api: string } };
  return scripts.api.split(' ').filter((word) => word.startsWith('--'));
}
