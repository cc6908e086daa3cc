/** A message of a process that runs one call at a time: first that it is ready, then the end of each attempt. */
export interface LoneReport {
  /** How the call ended; null while it has not. */
  ended: string | null;
  /** Whether it is to be tried again. */
  retried: boolean;
}
