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
  newTraceId(): string | null;
  /** For a request with a `traceparent`: whether it is traced. */
  isTraced(parent: ParentIds): boolean;
}

const PARENT_BASED = 'parentbased_';
// How many values a word of a trace id can have. An id has four words of 32 bits.
const WORD_VALUES = 2 ** 32;

/**
 * The sampling that OpenTelemetry's `OTEL_TRACES_SAMPLER` (`name`) and `OTEL_TRACES_SAMPLER_ARG` (`argument`) ask for. A wrong value is
 * reported to `warn` and replaced by the default.
 */
export function openSampling(
  name: string,
  argument: string | undefined,
  warn: (message: string) => void,
): Sampling {
  const isParentBased = name.startsWith(PARENT_BASED);
  const root = isParentBased ? name.slice(PARENT_BASED.length) : name;
  if (root === 'always_on') return toSampling(isParentBased, 1);
  if (root === 'always_off') return toSampling(isParentBased, 0);
  if (root === 'traceidratio') return toSampling(isParentBased, readRatio(argument, warn));
  warn(`OTEL_TRACES_SAMPLER is unknown: ${PARENT_BASED}always_on is used.`);
  return toSampling(true, 1);
}

function readRatio(argument: string | undefined, warn: (message: string) => void): number {
  const ratio = argument === undefined || argument.trim() === '' ? Number.NaN : Number(argument);
  if (ratio >= 0 && ratio <= 1) return ratio;
  warn('OTEL_TRACES_SAMPLER_ARG is not a number from 0 to 1: every request is traced.');
  return 1;
}

function toSampling(isParentBased: boolean, ratio: number): Sampling {
  const sampler = samplerOf(ratio);
  return {
    newTraceId: traceIdGenerator(ratio),
    isTraced: (parent) => (isParentBased ? parent.isSampled : isSampledBy(sampler, parent.traceId)),
  };
}

function samplerOf(ratio: number): Sampler {
  if (ratio === 1) return new AlwaysOnSampler();
  return ratio === 0 ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio);
}

function isSampledBy(sampler: Sampler, traceId: string): boolean {
  const { decision } = sampler.shouldSample(ROOT_CONTEXT, traceId, '', SpanKind.SERVER, {}, []);
  return decision === SamplingDecision.RECORD_AND_SAMPLED;
}

/**
 * A function that decides whether a request is traced, and only then generates an id: nearly no request is traced, and ids cost time. The
 * library's sampler compares the exclusive or of an id's four words with a bound. So the exclusive or is drawn first, and the id is
 * generated to have it.
 */
function traceIdGenerator(ratio: number): () => string | null {
  // As the library computes it, so that a sampler elsewhere decides alike.
  const bound = ratio === 1 ? WORD_VALUES : Math.floor(ratio * (WORD_VALUES - 1));
  return () => {
    const exclusiveOr = randomWord();
    if (exclusiveOr >= bound) return null;
    const words = [randomWord(), randomWord(), randomWord()];
    words.push(words.reduce((all, word) => (all ^ word) >>> 0, exclusiveOr));
    return words.map((word) => word.toString(16).padStart(8, '0')).join('');
  };
}

function randomWord(): number {
  return (Math.random() * WORD_VALUES) >>> 0;
}
