/** The middle value; NaN of nothing. */
export function median(values: number[]): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  if (sorted.length === 0) return Number.NaN;
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/** How far the values lie apart: half of the distance between the extremes, as a share of the median; 0 for a single value. */
export function spread(values: number[]): number {
  const distance = Math.max(...values) - Math.min(...values);
  return distance === 0 ? 0 : distance / 2 / Math.abs(median(values));
}

/** The ratios of values that were measured next to each other. */
export function ratiosOf(values: number[], others: number[]): number[] {
  return values.map((value, index) => value / (others[index] ?? Number.NaN));
}

/** Between which of the values the median lies with 95 % certainty, if they are independent: by their order, whatever their distribution. */
export function medianInterval(values: number[]): [low: number, high: number] {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const from = Math.max(0, Math.floor((sorted.length - 1.96 * Math.sqrt(sorted.length)) / 2));
  return [sorted[from] ?? Number.NaN, sorted[sorted.length - 1 - from] ?? Number.NaN];
}
