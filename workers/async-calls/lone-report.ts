/** What a process that runs one call at a time says: first that it is ready, then how each attempt went. */
export interface LoneReport {
  /** How the call ended; null while it has not. */
  ended: string | null;
  /** Whether it is to be tried again. */
  retried: boolean;
}
