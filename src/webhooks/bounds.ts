/** The most deliveries that are queued for one webhook; later updates wait in the stream. */
export const MOST_QUEUED = 10_000;

/** The most pings that may be queued in addition. */
export const MOST_PINGS = 1_000;
