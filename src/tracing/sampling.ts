import { ROOT_CONTEXT, SpanKind } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { ParentIds } from './trace-context.ts';

/** Which requests are traced. */
export interface Sampling {
  /** The id of a new trace, if a request that came in none is traced; else null. */
  draw(): string | null;
  /** Whether a request is traced that came in a trace. */
  takes(parent: ParentIds): boolean;
}

const PARENT_BASED = 'parentbased_';
const WORDS = 2 ** 32;

/** The sampling of a name and an argument of the standard; in place of what is wrong the default, of which `tell` is told. */
export function openSampling(
  name: string,
  argument: string | undefined,
  tell: (message: string) => void,
): Sampling {
  const isParentBased = name.startsWith(PARENT_BASED);
  const root = isParentBased ? name.slice(PARENT_BASED.length) : name;
  if (root === 'always_on' || root === 'always_off')
    return sampling(isParentBased, Number(root === 'always_on'));
  if (root === 'traceidratio') return sampling(isParentBased, readRatio(argument, tell));
  tell(`OTEL_TRACES_SAMPLER is not known: ${PARENT_BASED}always_on is used.`);
  return sampling(true, 1);
}

function readRatio(argument: string | undefined, tell: (message: string) => void): number {
  const ratio = argument === undefined || argument.trim() === '' ? Number.NaN : Number(argument);
  if (ratio >= 0 && ratio <= 1) return ratio;
  tell('OTEL_TRACES_SAMPLER_ARG is no number from 0 to 1: all is traced.');
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
 * Draws before there is an id: nearly every request is not traced, and would pay for one. The library's sampler, here and elsewhere,
 * goes by the exclusive or of an id's four words: that is what is drawn, and an id is made that has it.
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
