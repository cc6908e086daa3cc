import { describe, expect, test } from 'vitest';
import { fieldsOf } from '../../../src/tl/field.ts';
import { findMethod } from '../../../src/tl/methods.ts';
import { getSchema, type SchemaEntry } from '../../../src/tl/schema.ts';
import { validateParams } from '../../../src/tl/validate-params.ts';
import { DESCRIBED_METHODS, SPECIFIED_METHODS, SPECIFIED_SHAPES } from '../../support/tl/specification.ts';

const JSON_TYPES: Record<string, string> = {
  int: 'integer',
  int53: 'integer',
  long: 'string',
  string: 'string',
  bytes: 'string',
  true: 'boolean',
  Bool: 'boolean',
};

describe('the specification', () => {
  test('lists 20 methods, describes two more, and gives 55 shapes', () => {
    expect(SPECIFIED_METHODS).toHaveLength(20);
    expect(DESCRIBED_METHODS).toHaveLength(2);
    expect(Object.keys(SPECIFIED_SHAPES)).toHaveLength(55);
  });
});

describe.each(Object.entries(SPECIFIED_SHAPES))('the shape %s', (tag, shape) => {
  const entry = getSchema().constructors.get(tag) as SchemaEntry;

  test('has exactly the fields of its constructor', () => {
    expect(namesOf(entry).sort()).toEqual(Object.keys(shape).sort());
  });

  test.each(Object.entries(shape))('has its %s as %s', (name, type) => {
    expect(accepts(entry, name, type)).toBe(true);
  });
});

describe.each(SPECIFIED_METHODS)('the method $name', ({ name, params, result }) => {
  const method = findMethod(name);
  const entry = method?.entry as SchemaEntry;

  test('takes every param of its request shape', () => {
    expect(namesOf(entry)).toEqual(expect.arrayContaining(Object.keys(params)));
    for (const [param, type] of Object.entries(params)) expect(accepts(entry, param, type)).toBe(true);
  });

  test('requires nothing that its request shape does not have', () => {
    const required = fieldsOf(entry).filter(({ isOptional }) => !isOptional);
    expect(Object.keys(params)).toEqual(expect.arrayContaining(required.map((field) => field.name)));
  });

  test('accepts its request shape as it stands', () => {
    const example = exampleOf(params);
    expect(validateParams(method as never, example)).toEqual({
      ok: true,
      params: example,
    });
  });

  test('returns its result type', () => {
    expect(getSchema().constructors.get(result)?.type).toBe(method?.returns);
  });
});

describe.each(DESCRIBED_METHODS)('the described method %s', (name) => {
  test('is callable', () => {
    expect(findMethod(name)?.purpose).not.toBe('');
  });
});

function namesOf(entry: SchemaEntry): string[] {
  return fieldsOf(entry).map(({ name }) => name);
}

/** Whether a field is of the JSON type of the tables, or a union that has the shape they name. */
function accepts(entry: SchemaEntry, name: string, type: string): boolean {
  const field = fieldsOf(entry).find((one) => one.name === name);
  const item = type.replace('[]', '');
  if (field === undefined || field.isVector !== type.endsWith('[]')) return false;
  return (
    (JSON_TYPES[field.type] ?? getSchema().constructors.get(item)?.type) ===
    (JSON_TYPES[field.type] ? item : field.type)
  );
}

function exampleOf(shape: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(shape).map(([name, type]) => [name, exampleValue(name, type)]));
}

function exampleValue(name: string, type: string): unknown {
  if (type.endsWith('[]')) return [exampleValue(name, type.slice(0, -2))];
  if (type === 'integer') return 1;
  if (type === 'boolean') return true;
  // Every text of a request shape but names and offsets is a number or base64; this one is all of them.
  if (type === 'string') return '1234';
  return { _: type, ...exampleOf(SPECIFIED_SHAPES[type] ?? {}) };
}
