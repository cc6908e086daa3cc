import { expect, it } from 'vitest';
import { AnswerThrottle } from '../../../src/api/server/answer-throttle.ts';

const MIB = 1024 * 1024;

it('grants a permit when its time is over, also behind others that have longer', async () => {
  const throttle = new AnswerThrottle();
  throttle.count('org', 1_000 * MIB);
  const patient = throttle.take('org', MIB, 60_000);
  const hurried = throttle.take('org', MIB, 20);
  const late = throttle.take('org', MIB, 0);
  const first = await Promise.race([
    patient.granted?.then(() => 'patient'),
    Promise.all([hurried.granted, late.granted]).then(() => 'the others'),
  ]);
  expect(first).toBe('the others');
});
