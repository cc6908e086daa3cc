import fc from 'fast-check';
import { fieldsOf, type TlField } from '../../../src/tl/field.ts';
import type { TlMethod } from '../../../src/tl/methods.ts';
import { isDerivedRandomId } from '../../../src/tl/random-id.ts';
import { getSchema, type SchemaEntry } from '../../../src/tl/schema.ts';

const NESTING = 3;
const ITEMS_MAX = 3;

/** Params of a method that fit it, in any of the forms that callers may use. */
export function paramsOf(method: TlMethod): fc.Arbitrary<Record<string, unknown>> {
  return said.members(method.entry, NESTING);
}

/** A scalar of a TL type, in any of the forms that callers may use. */
export function scalarOf(type: string): fc.Arbitrary<unknown> {
  return said.value(type, 0);
}

/** An object of a constructor, in any of the forms that callers may use. */
export function objectOf(entry: SchemaEntry): fc.Arbitrary<Record<string, unknown>> {
  return said.members(entry, 1);
}

/** What a handler of a method might return: `true` flags may be left out, vectors are arrays, a Bool is a boolean. */
export function returnValueOf(method: TlMethod): fc.Arbitrary<unknown> {
  const item = returned.value(method.returnType, NESTING);
  return method.returnsVector ? fc.array(item, { maxLength: ITEMS_MAX }) : item;
}

const SCALARS: Record<string, fc.Arbitrary<unknown>> = {
  int: fc.integer(),
  int53: fc.maxSafeInteger(),
  long: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  double: fc.double({ noDefaultInfinity: true, noNaN: true }),
  string: fc.string({ unit: 'grapheme', maxLength: 10 }),
  bytes: bytes(0, 10),
  int128: bytes(16, 16),
  int256: bytes(32, 32),
  true: fc.boolean(),
  Bool: fc.boolean(),
};

class TlArbitraries {
  private readonly toText: (bytes: Uint8Array) => fc.Arbitrary<string>;
  private readonly built = new Map<string, fc.Arbitrary<unknown>>();

  constructor(toText: (bytes: Uint8Array) => fc.Arbitrary<string>) {
    this.toText = toText;
  }

  value(type: string, nesting: number): fc.Arbitrary<unknown> {
    const key = SCALARS[type] ? type : `${type} ${nesting}`;
    let arbitrary = this.built.get(key);
    if (!arbitrary) {
      arbitrary = this.scalar(type) ?? this.union(type, nesting);
      this.built.set(key, arbitrary);
    }
    return arbitrary;
  }

  members(entry: SchemaEntry, nesting: number): fc.Arbitrary<Record<string, unknown>> {
    const model: Record<string, fc.Arbitrary<unknown>> = entry.kind === 'class'
      ? { _: fc.constant(entry.name) }
      : {};
    const requiredKeys = Object.keys(model);
    for (const field of fieldsOf(entry)) {
      if (nesting <= 0 && field.isOptional && !SCALARS[field.type]) continue;
      model[field.name] = this.field(field, nesting);
      if (!field.isOptional && !isDerivedRandomId(entry, field)) requiredKeys.push(field.name);
    }
    return fc.record(model, { requiredKeys, noNullPrototype: true });
  }

  private scalar(type: string): fc.Arbitrary<unknown> | undefined {
    return SCALARS[type]?.chain((value) =>
      value instanceof Uint8Array ? this.toText(value) : fc.constant(value),
    );
  }

  private union(type: string, nesting: number): fc.Arbitrary<unknown> {
    return fc.oneof(...constructorsFor(type, nesting).map((entry) => this.members(entry, nesting - 1)));
  }

  private field({ type, isVector }: TlField, nesting: number): fc.Arbitrary<unknown> {
    if (isVector && nesting <= 0 && !SCALARS[type]) return fc.constant([]);
    const value = this.value(type, nesting);
    return isVector ? fc.array(value, { maxLength: ITEMS_MAX }) : value;
  }
}

const said = new TlArbitraries(inAnyBase64);
const returned = new TlArbitraries((value) => fc.constant(Buffer.from(value).toString('base64')));

// Near the bottom only the constructors that need the fewest levels, so that types which hold themselves come to an end.
function constructorsFor(type: string, nesting: number): readonly SchemaEntry[] {
  const all = getSchema().types.get(type) ?? [];
  if (nesting > 0) return all;
  const least = Math.min(...all.map((entry) => levelsOf(entry)));
  return all.filter((entry) => levelsOf(entry) === least);
}

let levels: Map<string, number> | undefined;

function levelsOf({ name }: SchemaEntry): number {
  levels ??= countLevels();
  return levels.get(name) ?? Number.POSITIVE_INFINITY;
}

// How many levels of objects each constructor holds at the least; found by rounds, since types refer to one another.
function countLevels(): Map<string, number> {
  const { constructors, types } = getSchema();
  const counted = new Map<string, number>();
  const typeLevels = (type: string): number =>
    Math.min(...(types.get(type) ?? []).map(({ name }) => counted.get(name) ?? Number.POSITIVE_INFINITY));
  for (let before = -1; before < counted.size; ) {
    before = counted.size;
    for (const entry of constructors.values()) {
      if (counted.has(entry.name)) continue;
      const needed = fieldsOf(entry).filter((f) => !f.isOptional && !f.isVector && !SCALARS[f.type]);
      const level = Math.max(0, ...needed.map(({ type }) => typeLevels(type) + 1));
      if (Number.isFinite(level)) counted.set(entry.name, level);
    }
  }
  return counted;
}

function bytes(minLength: number, maxLength: number): fc.Arbitrary<Uint8Array> {
  return fc.uint8Array({ minLength, maxLength });
}

function inAnyBase64(value: Uint8Array): fc.Arbitrary<string> {
  const alphabets = fc.constantFrom('base64' as const, 'base64url' as const);
  return fc.tuple(alphabets, fc.boolean()).map(([alphabet, isPadded]) => {
    const digits = Buffer.from(value).toString(alphabet).replace(/=+$/, '');
    return isPadded ? digits.padEnd(Math.ceil(digits.length / 4) * 4, '=') : digits;
  });
}

/** A change to params that fitted, and the one place where it makes them wrong. */
export interface Mutation {
  params: unknown;
  pointer: string;
}

interface Place {
  owner: SchemaEntry;
  /** The object, and how to reach it. */
  path: string[];
  field: TlField | null;
}

const WRONG: Record<string, unknown> = {
  int: 1.5,
  int53: 2 ** 53,
  long: '9223372036854775808',
  double: '1',
  string: 7,
  bytes: '*',
  int128: 'AAAA',
  int256: 'AAAA',
  true: 1,
  Bool: 'true',
};

/** The params with one thing made wrong: a field of another type, one missing, one unknown, or an unknown `_`. */
export function mutationOf(method: TlMethod, params: Record<string, unknown>): fc.Arbitrary<Mutation> {
  const places = [...placesIn(method.entry, params, [])];
  return fc
    .tuple(fc.constantFrom(...places), fc.constantFrom('type', 'absence', 'null'))
    .map(([place, how]) => mutate(params, place, how));
}

function* placesIn(owner: SchemaEntry, value: Record<string, unknown>, path: string[]): Generator<Place> {
  yield { owner, path, field: null };
  for (const field of fieldsOf(owner)) {
    const member = value[field.name];
    if (member === undefined) continue;
    yield { owner, path, field };
    const values = field.isVector ? [...(member as unknown[]).entries()] : [[null, member] as const];
    for (const [index, item] of values) {
      const entry = getSchema().constructors.get((item as { _?: string } | null)?._ ?? '');
      const inner = index === null ? [field.name] : [field.name, String(index)];
      if (entry) yield* placesIn(entry, item as Record<string, unknown>, [...path, ...inner]);
    }
  }
}

function mutate(params: object, { owner, path, field }: Place, how: string): Mutation {
  const copy = structuredClone(params);
  const object = path.reduce(
    (at, part) => at[part] as Record<string, unknown>,
    copy as Record<string, unknown>,
  );
  const change = (name: string, value: unknown): Mutation => {
    if (value === undefined) delete object[name];
    else object[name] = value;
    return {
      params: copy,
      pointer: `/params${[...path, name].map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}`,
    };
  };
  if (field === null) return how === 'type' ? change('_', 'noSuchThing') : change('no/such~thing', 1);
  if (how === 'absence' && !field.isOptional && !isDerivedRandomId(owner, field))
    return change(field.name, undefined);
  if (how === 'null') return change(field.name, null);
  return change(field.name, field.isVector ? {} : (WRONG[field.type] ?? []));
}
