const HOUR_MS = 60 * 60 * 1_000;

/** How long the ledger of a batch is kept after `notAfter`: a worker that was suspended may still wake up and try to commit. */
export const LEDGER_GRACE_MS = 5_000;

/** How long the outcome of a call with an Idempotency-Key is kept. */
export const KEYED_RETENTION_MS = 24 * HOUR_MS;

/** How long an async call is kept once it has ended. */
export const KEPT_MS = 24 * HOUR_MS;

/**
 * How long the record of an ended async call is kept at most. It is normally removed after `KEPT_MS`, and must still be there then: its
 * size is subtracted from the workspace's bytes.
 */
export const RECORD_KEPT_MS = KEPT_MS + HOUR_MS;

/**
 * How long the outcome of an async call is kept: longer than its record, which without it would look like that of a call that has not
 * ended.
 */
export const ASYNC_RETENTION_MS = RECORD_KEPT_MS + HOUR_MS;
