/** A message from a lone process: first one when it is ready, then one after each attempt. */
export interface LoneReport {
  /** How the call ended; null if it has not. */
  ended: string | null;
  /** Whether it is to be tried again. */
  retried: boolean;
  /** Whether it has to wait, and is to go on among other calls. */
  waits: boolean;
}
