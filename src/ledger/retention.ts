const HOUR_MS = 60 * 60 * 1_000;

/** How long after `notAfter` the ledger of a batch stays: a worker that was only asleep may still wake up and try to commit. */
export const LEDGER_GRACE_MS = 5_000;

/** How long what became of a call with an Idempotency-Key is kept. */
export const KEYED_RETENTION_MS = 24 * HOUR_MS;

/** How long an async call is kept once it has ended. */
export const KEPT_MS = 24 * HOUR_MS;

/** How long the record of an async call stays that has ended. It is removed before that, and says then how many bytes the call has taken. */
export const RECORD_KEPT_MS = KEPT_MS + HOUR_MS;

/** How long what became of an async call is kept. It goes last: a record without it would look as if the call had not ended. */
export const ASYNC_RETENTION_MS = RECORD_KEPT_MS + HOUR_MS;
