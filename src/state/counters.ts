// Fewer increments are searched faster than a map of them is made.
const INDEXED_FROM = 16;

/**
 * The increments of the counters of one hash, in their order. `raises` alternates the sum of a field's increments so far and the number of
 * the placeholder for its new value.
 */
export interface Counters {
  /** The index of the hash among the transaction's keys. */
  key: number;
  fields: string[];
  raises: number[];
  /** The index of the latest increment of each field; null while there are few. */
  latest: Map<string, number> | null;
}

export function newCounters(key: number): Counters {
  return { key, fields: [], raises: [], latest: null };
}

/** Adds an increment of a field. */
export function raiseCounter(counters: Counters, field: string, by: number, placeholder: number): void {
  const { fields, raises } = counters;
  const before = latestOf(counters, field);
  counters.latest?.set(field, fields.length);
  fields.push(field);
  raises.push(by + (raises[2 * before] ?? 0), placeholder);
}

// -1 if the field has no increment yet.
function latestOf(counters: Counters, field: string): number {
  const { fields } = counters;
  if (fields.length < INDEXED_FROM) return fields.lastIndexOf(field);
  counters.latest ??= new Map(fields.map((one, index) => [one, index]));
  return counters.latest.get(field) ?? -1;
}
