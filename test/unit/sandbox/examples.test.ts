import { expect, it } from 'vitest';
import { examples } from '../../../workers/sandbox/examples/examples.ts';
import { methods } from '../../../workers/sandbox/methods.ts';

/** Methods that no example can be given of; why stands in test/e2e/calls/examples.test.ts. */
const WITHOUT = ['payments.getPaymentReceipt', 'phone.startScheduledGroupCall'];

it('every executed method has an example', () => {
  const missing = Object.keys(methods).filter((name) => !Object.hasOwn(examples, name));
  expect(missing.toSorted()).toEqual(WITHOUT);
});

it('no example is of a method that is not executed', () => {
  expect(Object.keys(examples).filter((name) => !Object.hasOwn(methods, name))).toEqual([]);
});
