const RETRY_AFTER_MAX = 30;

/**
 * Why a call is refused:
 * - `wait`: its workspace has more calls in flight than will be done in time
 * - `crowd`: all workspaces together have more calls in flight than will be done in time
 * - `silence`: nothing has been answered for too long
 * - `share`: its workspace or organization has used up its share of the calls in flight, or of their bytes
 * - `in_flight`, `bytes`: this process has reached its limit
 * - `paused`: an operator has paused calls like it
 */
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** All reasons. */
export const REFUSAL_REASONS = ['wait', 'crowd', 'silence', 'share', 'in_flight', 'bytes', 'paused'] as const;

const WAIT = 'Wait for `Retry-After` seconds';
const LATER = `${WAIT}, or send what may run later with \`Prefer: respond-async\`.`;
const FEWER = `${WAIT}, and send fewer at once.`;

// Async calls take up the same room until they are accepted.
const OF_ROOM: ReadonlySet<RefusalReason> = new Set(['in_flight', 'bytes']);

/** The detail of a refusal's problem. `isOwn`: others are served meanwhile. */
export function detailOf(reason: RefusalReason, isOwn: boolean): string {
  if (reason === 'share')
    return `The workspace or its organization has used up its share of the calls in flight, or of their bytes. ${FEWER}`;
  if (reason === 'wait' && isOwn)
    return `The workspace has more calls in flight than can be done in time. ${LATER}`;
  if (OF_ROOM.has(reason))
    return `More calls, or bytes of them, are in flight than this process holds at once. ${FEWER}`;
  return `More calls are in flight than can be done in time. ${LATER}`;
}

/** When to try again: spreads retries over the time needed to do the calls that arrived. */
export function retryAfterSeconds({
  offeredRate,
  doneRate,
}: {
  offeredRate: number;
  doneRate: number | null;
}): number {
  const times = doneRate === null || doneRate < 1 ? 1 : offeredRate / doneRate;
  return 1 + Math.floor(Math.random() * Math.min(RETRY_AFTER_MAX, 2 + 2 * times));
}
