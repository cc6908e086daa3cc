import { expect, it } from 'vitest';
import { measureGrowth, repeatTo } from '../support/growth.ts';

const text = (size: number) => repeatTo('a', size);

it('is seen where the time grows with the square of the input', () => {
  const quadratic = (input: string) => {
    let found = 0;
    for (let at = 0; at < input.length; at += 1) found += input.indexOf('b', at);
    return found;
  };
  expect(measureGrowth(text, 120_000, quadratic)).toMatchObject({ isLinear: false });
});

it('is seen where an expression goes back over the input', () => {
  expect(measureGrowth(text, 6_000, (input) => /a+b/.test(input))).toMatchObject({ isLinear: false });
});

it('is not seen where the time grows as the input does', () => {
  const linear = (input: string) =>
    Array.from(input, (letter) => letter.charCodeAt(0)).reduce((a, b) => a + b);
  expect(measureGrowth(text, 1_000_000, linear)).toMatchObject({ isLinear: true });
});
