/** The kinds of events on the update stream that tell of the end of a call nobody waits for, and what each says. */
export const CALL_EVENTS = {
  'call.succeeded': 'An async call has succeeded',
  'call.failed': 'An async call has ended without a result: it failed, was canceled or expired',
} as const;

/** One of these kinds. */
export type CallEventKind = keyof typeof CALL_EVENTS;
