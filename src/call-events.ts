/** The kinds of events on the update stream that report the end of an async call, with their descriptions. */
export const CALL_EVENTS = {
  'call.succeeded': 'An async call has succeeded',
  'call.failed': 'An async call has ended without a result: it failed, was canceled or expired',
} as const;

/** One of these kinds. */
export type CallEventKind = keyof typeof CALL_EVENTS;
