import type { Report } from './report.ts';

interface Exclusion {
  first: string;
  second: string;
}

/** Params that exclude each other, by method. */
const EXCLUSIONS: Record<string, Exclusion[]> = {
  'payments.getResaleStarGifts': [{ first: 'sortByPrice', second: 'sortByNum' }],
};

/** Notes what no single field shows to be wrong. */
export function checkCrossFields(method: string, params: Record<string, unknown>, report: Report): void {
  if (!Object.hasOwn(EXCLUSIONS, method)) return;
  for (const { first, second } of EXCLUSIONS[method] ?? []) {
    if (params[first] === true && params[second] === true)
      report.add(`cannot be set together with \`${first}\``, second);
  }
}
