import { readFileSync } from 'node:fs';
import { expect, expectTypeOf, test } from 'vitest';
import type { CallParams } from '../../../src/client/calls/call-types.ts';
import type { MethodErrors, ProblemCode } from '../../../src/client/methods.ts';
import type { PROBLEMS } from '../../../src/problem-table.ts';
import type { MethodName, MethodParams } from '../../../src/tl/tl-json.ts';
import type { ExecutedMethod } from '../../../workers/sandbox/methods.ts';
import { METHODS_TYPES, renderMethodsTypes } from '../../support/client/methods-types.ts';

type Listed = {
  [Namespace in keyof MethodErrors]: `${Namespace}.${keyof MethodErrors[Namespace] & string}`;
}[keyof MethodErrors];

test('src/client/methods.ts has the methods of the schema; npm run docs writes it anew', () => {
  expect(readFileSync(METHODS_TYPES, 'utf8')).toBe(renderMethodsTypes());
});

test('the types list every method and every code of a problem', () => {
  expectTypeOf<Listed>().toEqualTypeOf<MethodName>();
  expectTypeOf<ProblemCode>().toEqualTypeOf<keyof typeof PROBLEMS>();
});

test('a caller may give whatever params a handler takes', () => {
  type Refused = {
    [Name in ExecutedMethod]: MethodParams<Name> extends CallParams<Name> ? never : Name;
  }[ExecutedMethod];
  expectTypeOf<Refused>().toBeNever();
});
