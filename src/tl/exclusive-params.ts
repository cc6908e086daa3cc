import type { Report } from './report.ts';

/** Mutually exclusive params, by method. */
const EXCLUSIVE_PARAMS: ReadonlyMap<string, readonly string[]> = new Map([
  ['payments.getResaleStarGifts', ['sortByPrice', 'sortByNum']],
]);

/** Reports each param that is set although another one of its group is set. */
export function checkExclusiveParams(method: string, params: Record<string, unknown>, report: Report): void {
  const names = EXCLUSIVE_PARAMS.get(method);
  if (!names) return;
  const [first, ...others] = names.filter((name) => params[name] !== undefined);
  for (const name of others) report.add(`cannot be set together with \`${first}\``, name);
}
