/**
 * The keys of scheduled messages. The letters are those of `common/keys.ts`.
 *
 *   scheduled:U         hash: `<peer>:<id>` -> ScheduledRecord
 *   scheduled-dates:U   sorted set: the same fields, by when the message is to be sent
 */
export function scheduledKey(userId: number): string {
  return `scheduled:${userId}`;
}

export function scheduledDatesKey(userId: number): string {
  return `scheduled-dates:${userId}`;
}

/** The field of `SEQ` that every message the user schedules raises. */
export function scheduledSeq(userId: number): string {
  return `scheduled:${userId}`;
}
