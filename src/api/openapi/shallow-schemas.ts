import type { Components, JsonSchema } from '../../tl/json-schema.ts';

const PREFIX = '#/components/schemas/';

/** How deeply schemas are described. */
interface Shallow {
  /** The number of levels, below those that the roots name, on which objects of any size are described. */
  levels: number;
  /** Deeper objects are described if they and all that they refer to have at most this many values. */
  smallMax: number;
}

/**
 * The schemas that `roots` need, for tools that follow every reference to its end: without recursion, and of objects that are too
 * deep and too large only the tags.
 */
export function shallowSchemas(
  roots: readonly unknown[],
  components: Components,
  { levels, smallMax }: Shallow,
): Components {
  const isSmall = weigher(components, smallMax);
  const levelOf = new Map<string, number>();
  const open = roots.flatMap(referencesIn).map((name) => ({ name, level: 0 }));
  for (const { name, level } of open) {
    const schema = components.get(name);
    if (schema === undefined || levelOf.has(name) || (level > levels && !isSmall(name))) continue;
    levelOf.set(name, level);
    open.push(...referencesIn(schema).map((inner) => ({ name: inner, level: levelWithin(schema, level) })));
  }
  const shown = [...levelOf].map(([name, level]) => {
    const schema = components.get(name) as JsonSchema;
    // A reference to the same or an earlier level would be recursion.
    const isKept = (inner: string) =>
      isSmall(inner) || (levelOf.get(inner) ?? -1) >= levelWithin(schema, level);
    return [name, cut(schema, isKept, components)] as const;
  });
  return new Map(shown);
}

// A union is on the level of its members.
function levelWithin(schema: JsonSchema, level: number): number {
  return schema.oneOf === undefined ? level + 1 : level;
}

function cut<T>(value: T, isKept: (name: string) => boolean, components: Components): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => cut(each, isKept, components)) as T;
  const { $ref, ...rest } = value as JsonSchema;
  if (typeof $ref === 'string' && !isKept($ref.slice(PREFIX.length)))
    return { ...onlyTag(components.get($ref.slice(PREFIX.length))), ...rest } as T;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, cut(each, isKept, components)]),
  ) as T;
}

function onlyTag(schema: JsonSchema = {}): JsonSchema {
  const { mapping } = (schema.discriminator ?? {}) as { mapping?: object };
  const tag = mapping === undefined ? (schema.properties as JsonSchema)._ : { enum: Object.keys(mapping) };
  // The object has other members too, which validators of examples must accept.
  return { type: 'object', properties: { _: tag }, required: ['_'], additionalProperties: true };
}

/** Says whether a schema has at most `max` values when every reference is replaced by what it refers to. A recursive schema never has. */
function weigher(components: Components, max: number): (name: string) => boolean {
  const weights = new Map<string, number>();
  const weigh = (name: string): number => {
    const known = weights.get(name);
    if (known !== undefined) return known;
    weights.set(name, Number.POSITIVE_INFINITY);
    const schema = components.get(name);
    const inner = referencesIn(schema).map(weigh);
    const weight = inner.reduce((sum, each) => sum + each, countValues(schema));
    weights.set(name, weight);
    return weight;
  };
  return (name) => weigh(name) <= max;
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, each) => sum + countValues(each), 1);
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own =
    '$ref' in value && typeof value.$ref === 'string' && value.$ref.startsWith(PREFIX)
      ? [value.$ref.slice(PREFIX.length)]
      : [];
  return [...own, ...Object.values(value).flatMap(referencesIn)];
}
