/** The most deliveries that are queued for one webhook; later updates wait in the stream. */
export const QUEUED_MAX = 10_000;

/** The most pings that may be queued in addition. */
export const PINGS_MAX = 1_000;

/** The most characters of a webhook's URL. */
export const URL_MAX = 2_000;
