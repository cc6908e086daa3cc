/** A trace context as it travels: a W3C `traceparent`, and the `tracestate` that came with it. */
export interface TraceContext {
  parent: string;
  state?: string;
}

/** The parts of a `traceparent`. */
export interface ParentIds {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

// Later versions may have more after a dash; longer ones are invalid.
const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[^\s]{0,200})?$/;
const ZEROS = /^0+$/;
const SAMPLED = 1;
const STATE_MAX = 512;

/** Reads a `traceparent`; null for one that is missing or not valid by the W3C recommendation, which is then ignored. */
export function parseParent(text: unknown): ParentIds | null {
  const [, version, traceId = '', spanId = '', flags = '', rest] =
    (typeof text === 'string' && PARENT.exec(text)) || [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return null;
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

/** The `traceparent` of a span. */
export function formatParent({ traceId, spanId, isSampled }: ParentIds): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/** A `tracestate` that is passed on; one of more than 512 characters is ignored. */
export function readState(text: unknown): string | undefined {
  return typeof text === 'string' && text !== '' && text.length <= STATE_MAX ? text : undefined;
}

/** The trace id of a context, for the log; empty without a context. */
export function traceIdOf(context: TraceContext | undefined): { traceId?: string } {
  return context === undefined ? {} : { traceId: context.parent.slice(3, 35) };
}
