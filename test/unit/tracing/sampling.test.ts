import { ROOT_CONTEXT } from '@opentelemetry/api';
import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-base';
import { expect, it } from 'vitest';
import { openSampling } from '../../../src/tracing/sampling.ts';

const [ALL, NONE, SOME] = [/^1+$/, /^0+$/, /^(?=.*0)(?=.*1)/];
const CHEAP = '0'.repeat(31).concat('1');
const DEAR = 'f'.repeat(8).concat('0'.repeat(24));

function open(name: string, argument?: string) {
  const told: string[] = [];
  const sampling = openSampling(name, argument, (message) => told.push(message));
  const parent = (traceId: string, isSampled: boolean) =>
    Number(sampling.isTraced({ traceId, spanId: '1'.repeat(16), isSampled }));
  const drawn = Array.from({ length: 2_000 }, () => sampling.newTraceId());
  return {
    told,
    drawn: drawn.filter((id) => id !== null),
    own: drawn.map((id) => Number(id !== null)).join(''),
    // Of a parent that is not sampled and one that is, with an id that a share takes, and with one that it does not.
    asked: [CHEAP, DEAR].map((id) => `${parent(id, false)}${parent(id, true)}`).join(' '),
  };
}

it.each([
  ['always_on', undefined, ALL, '11 11', 0],
  ['always_off', undefined, NONE, '00 00', 0],
  ['traceidratio', '0.5', SOME, '11 00', 0],
  ['traceidratio', '1', ALL, '11 11', 0],
  ['traceidratio', '0', NONE, '00 00', 0],
  ['traceidratio', undefined, ALL, '11 11', 1],
  ['traceidratio', '7', ALL, '11 11', 1],
  ['traceidratio', 'x', ALL, '11 11', 1],
  ['traceidratio', ' ', ALL, '11 11', 1],
  ['parentbased_always_on', undefined, ALL, '01 01', 0],
  ['parentbased_always_off', undefined, NONE, '01 01', 0],
  ['parentbased_traceidratio', '0.5', SOME, '01 01', 0],
  ['jaeger_remote', undefined, ALL, '01 01', 1],
])('%s with %s', (name, argument, own, asked, complaints) => {
  const found = open(name, argument);
  expect(found.own).toMatch(own);
  expect(found.asked).toBe(asked);
  expect(found.told).toHaveLength(complaints);
});

it('draws its share, each an id that a sampler of the same share takes elsewhere', () => {
  for (const share of [0.5, 0.1]) {
    const { drawn } = open('parentbased_traceidratio', String(share));
    expect(Math.abs(drawn.length / 2_000 - share)).toBeLessThan(0.06);
    expect(new Set(drawn).size).toBe(drawn.length);
    const sampler = new TraceIdRatioBasedSampler(share);
    for (const id of drawn) {
      expect(id).toMatch(/^[0-9a-f]{32}$/);
      const { decision } = sampler.shouldSample(ROOT_CONTEXT, id);
      expect(decision).toBe(SamplingDecision.RECORD_AND_SAMPLED);
    }
  }
});
