import { fieldsOf, type TlField } from '../../../src/tl/field.ts';
import { getSchema, type SchemaEntry } from '../../../src/tl/schema.ts';

/** Valid params of which one text is as long as one likes, or one list. */
export interface GrownParams {
  /** Which, such as `replyTo.pollOption` or `entities[].url`. */
  path: string;
  make(bytes: number): Members;
}

type Members = Record<string, unknown>;
type Change = (value: unknown) => Members;

// What is checked as an address goes on as one.
const GROWING: Record<string, ((given: string, bytes: number) => string)[]> = {
  string: [
    (given, bytes) => given.padEnd(bytes, 'x'),
    (given, bytes) => `${given}/`.padEnd(bytes, 'x'),
    (given, bytes) => given.padEnd(bytes, '.com'),
  ],
  bytes: [(_, bytes) => Buffer.alloc((bytes / 4) * 3, 'x').toString('base64')],
};

/**
 * The params of a method with each of their texts and bytes grown, one after another and given or not, and each of their lists. Nothing
 * else is changed, so that only what grows can be refused.
 */
export function* grownParamsOf(method: SchemaEntry, params: Members): Generator<GrownParams> {
  yield* grow(method, params, '', (members) => members as Members);
}

function* grow(entry: SchemaEntry, members: Members, path: string, change: Change): Generator<GrownParams> {
  for (const field of fieldsOf(entry)) {
    const at = path === '' ? field.name : `${path}.${field.name}`;
    const put: Change = (value) => change({ ...members, [field.name]: value });
    const given = members[field.name];
    if (field.isVector) yield* growList(field, (given ?? []) as unknown[], at, put);
    else if (field.type in GROWING) yield* growText(field, (given ?? '') as string, at, put);
    else yield* growObject(given, at, put);
  }
}

function* growText(field: TlField, given: string, path: string, put: Change): Generator<GrownParams> {
  for (const growing of GROWING[field.type] ?? [])
    yield { path, make: (bytes) => put(growing(given, bytes)) };
}

function* growList(field: TlField, given: unknown[], path: string, put: Change): Generator<GrownParams> {
  const item = given[0] ?? (field.type in GROWING ? 'AAAA' : undefined);
  if (item === undefined) return;
  const size = JSON.stringify(item).length + 1;
  yield { path, make: (bytes) => put(Array(Math.floor(bytes / size)).fill(item)) };
  for (const [i, one] of given.entries()) {
    const putItem: Change = (value) => put(given.with(i, value));
    if (field.type in GROWING) yield* growText(field, one as string, `${path}[${i}]`, putItem);
    else yield* growObject(one, `${path}[${i}]`, putItem);
  }
}

function* growObject(given: unknown, path: string, put: Change): Generator<GrownParams> {
  const entry = getSchema().constructors.get(String((given as Members | undefined)?._));
  if (entry) yield* grow(entry, given as Members, path, put);
}
