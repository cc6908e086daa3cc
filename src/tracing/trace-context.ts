/** A place in a trace, as it travels: a W3C `traceparent`, and the `tracestate` that came with it. */
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

// Later versions may have more behind a dash; what is longer than that is nobody's.
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

/** A `tracestate` that may go on: not one of more than 512 characters, which is ignored. */
export function readState(text: unknown): string | undefined {
  return typeof text === 'string' && text !== '' && text.length <= STATE_MAX ? text : undefined;
}

/** The id of the trace that something travels in, for the log; nothing for what travels in none. */
export function traceIdOf(context: TraceContext | undefined): { traceId?: string } {
  return context === undefined ? {} : { traceId: context.parent.slice(3, 35) };
}
