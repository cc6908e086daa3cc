/** Throws a `TypeError` for a number that is none, or not finite: Redis would refuse it in the middle of a commit. */
export function checkNumber(name: string, value: number): void {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} for ${name}`);
}
