import { expect, it } from 'vitest';
import { openSampler } from '../../../src/tracing/open-sampler.ts';

it.each([
  ['always_on', undefined, /^AlwaysOnSampler/],
  ['always_off', undefined, /^AlwaysOffSampler/],
  ['traceidratio', '0.01', /^TraceIdRatioBased\{0.01\}/],
  ['traceidratio', undefined, /^TraceIdRatioBased\{1\}/],
  ['traceidratio', '7', /^TraceIdRatioBased\{1\}/],
  ['traceidratio', 'x', /^TraceIdRatioBased\{1\}/],
  ['parentbased_always_on', undefined, /^ParentBased\{root=AlwaysOnSampler/],
  ['parentbased_always_off', undefined, /^ParentBased\{root=AlwaysOffSampler/],
  ['parentbased_traceidratio', '0.5', /^ParentBased\{root=TraceIdRatioBased\{0.5\}/],
  ['jaeger_remote', undefined, /^ParentBased\{root=AlwaysOnSampler/],
])('%s with %s', (name, argument, sampler) => expect(String(openSampler(name, argument))).toMatch(sampler));
