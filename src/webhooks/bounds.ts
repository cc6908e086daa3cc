/** How many deliveries wait for one webhook at most; what else there is waits in the stream. */
export const MOST_QUEUED = 10_000;

/** How many more pings may wait. */
export const MOST_PINGS = 1_000;
