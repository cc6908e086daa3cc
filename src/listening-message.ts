const LISTENING = 'switchboard:listening';

/** Tells the supervisor of this process, if there is one, that it takes requests. */
export function tellListening(): void {
  // The supervisor may be gone by now.
  if (process.connected) process.send?.({ type: LISTENING }, undefined, undefined, () => undefined);
}

/** Whether a message of a child process says that it takes requests. */
export function isListeningMessage(message: unknown): boolean {
  return (message as { type?: unknown } | null)?.type === LISTENING;
}
