import { ROOT_CONTEXT, SpanKind } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { ParentIds } from './trace-context.ts';

/** Decides which requests are traced. */
export interface Sampling {
  /** For a request without a `traceparent`: the id of a new trace, or null if the request is not traced. */
  draw(): string | null;
  /** For a request with a `traceparent`: whether it is traced. */
  takes(parent: ParentIds): boolean;
}

const PARENT_BASED = 'parentbased_';
const WORDS = 2 ** 32;

/**
 * Opens the sampling that OpenTelemetry's `OTEL_TRACES_SAMPLER` and its argument name. A wrong value is reported to `warn` and replaced by
 * the default.
 */
export function openSampling(
  name: string,
  argument: string | undefined,
  warn: (message: string) => void,
): Sampling {
  const isParentBased = name.startsWith(PARENT_BASED);
  const root = isParentBased ? name.slice(PARENT_BASED.length) : name;
  if (root === 'always_on' || root === 'always_off')
    return sampling(isParentBased, Number(root === 'always_on'));
  if (root === 'traceidratio') return sampling(isParentBased, readRatio(argument, warn));
  warn(`OTEL_TRACES_SAMPLER is unknown: ${PARENT_BASED}always_on is used.`);
  return sampling(true, 1);
}

function readRatio(argument: string | undefined, warn: (message: string) => void): number {
  const ratio = argument === undefined || argument.trim() === '' ? Number.NaN : Number(argument);
  if (ratio >= 0 && ratio <= 1) return ratio;
  warn('OTEL_TRACES_SAMPLER_ARG is not a number from 0 to 1: every request is traced.');
  return 1;
}

function sampling(isParentBased: boolean, ratio: number): Sampling {
  const sampler = samplerOf(ratio);
  return {
    draw: drawer(ratio),
    takes: ({ traceId, isSampled }) => (isParentBased ? isSampled : isTaken(sampler, traceId)),
  };
}

function samplerOf(ratio: number): Sampler {
  if (ratio === 1) return new AlwaysOnSampler();
  return ratio === 0 ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio);
}

function isTaken(sampler: Sampler, traceId: string): boolean {
  const { decision } = sampler.shouldSample(ROOT_CONTEXT, traceId, '', SpanKind.SERVER, {}, []);
  return decision === SamplingDecision.RECORD_AND_SAMPLED;
}

/**
 * Decides before an id is generated, as nearly no request is traced and ids cost time. The library's sampler decides by the exclusive or of
 * an id's four words. So this draws that value, and generates an id that has it.
 */
function drawer(ratio: number): () => string | null {
  const bound = ratio === 1 ? WORDS : Math.floor(ratio * (WORDS - 1));
  return () => {
    const drawn = randomWord();
    if (drawn >= bound) return null;
    const words = [randomWord(), randomWord(), randomWord()];
    words.push(words.reduce((all, word) => (all ^ word) >>> 0, drawn));
    return words.map((word) => word.toString(16).padStart(8, '0')).join('');
  };
}

function randomWord(): number {
  return (Math.random() * WORDS) >>> 0;
}
