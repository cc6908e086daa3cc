import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listMethods, type TlMethod } from '../../../src/tl/methods.ts';
import { validateParams } from '../../../src/tl/validate-params.ts';
import { mutationOf, paramsOf } from '../../support/tl/tl-arbitraries.ts';

const A_MINUTE = 60_000;

describe('params of every method', { timeout: A_MINUTE }, () => {
  test('are accepted, and unchanged when they are checked again', () => {
    for (const method of listMethods()) {
      fc.assert(
        fc.property(paramsOf(method), (params) => {
          fc.pre(!isRuledOut(method, params));
          const once = validParams(method, params);
          expect(JSON.stringify(validParams(method, once))).toBe(JSON.stringify(once));
        }),
        { numRuns: 20 },
      );
    }
  });

  test('mean the same in whatever order their fields come', () => {
    for (const method of listMethods()) {
      fc.assert(
        fc.property(paramsOf(method), (params) => {
          fc.pre(!isRuledOut(method, params));
          const text = JSON.stringify(validParams(method, params));
          expect(JSON.stringify(validParams(method, reversed(params)))).toBe(text);
        }),
        { numRuns: 3 },
      );
    }
  });

  test('are refused at the very place where one thing is wrong', () => {
    for (const method of listMethods()) {
      const mutations = paramsOf(method).chain((params) => mutationOf(method, params));
      fc.assert(
        fc.property(mutations, (mutation) => {
          const checked = validateParams(method, mutation.params);
          expect(checked).toMatchObject({ ok: false });
          if (!checked.ok) expect(checked.errors.map(({ pointer }) => pointer)).toContain(mutation.pointer);
        }),
        { numRuns: 20 },
      );
    }
  });
});

describe('anything else', { timeout: A_MINUTE }, () => {
  test('is refused or accepted, and never throws', () => {
    const methods = fc.constantFrom(...listMethods());
    fc.assert(
      fc.property(methods, fc.jsonValue({ maxDepth: 4 }), (method, value) => {
        const checked = validateParams(method, value);
        if (!checked.ok) expect(checked.errors.length).toBeGreaterThan(0);
      }),
      { numRuns: 1_000 },
    );
  });
});

function validParams(method: TlMethod, params: unknown): object {
  const checked = validateParams(method, params);
  if (!checked.ok) throw new Error(`${method.name}: ${JSON.stringify(checked.errors)}`);
  return checked.params;
}

function isRuledOut({ name }: TlMethod, { sortByPrice, sortByNum }: Record<string, unknown>): boolean {
  return name === 'payments.getResaleStarGifts' && sortByPrice === true && sortByNum === true;
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}
