import { isDeepStrictEqual } from 'node:util';
import { Long } from '@mtcute/core';
import { __tlReaderMap, __tlWriterMap, TlBinaryReader, TlBinaryWriter } from '@mtcute/core/utils.js';
import { fieldsOf } from '../../../src/tl/field.ts';
import { fillFlags } from '../../../src/tl/fill-flags.ts';
import { getSchema, type SchemaEntry } from '../../../src/tl/schema.ts';

type Json = Record<string, unknown>;

const BYTES = new Set(['bytes', 'int128', 'int256']);

/** A TL value in JSON as mtcute has it: with `Long`s and bytes. */
export function toTl(type: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => toTl(type, item));
  if (type === 'long') return Long.fromString(value as string);
  if (BYTES.has(type)) return new Uint8Array(Buffer.from(value as string, 'base64'));
  if (typeof value !== 'object' || value === null) return value;
  const given = value as Json;
  const entry = getSchema().constructors.get(String(given._));
  if (!entry) throw new TypeError(`The TL schema has no constructor ${given._}`);
  const members = fieldsOf(entry).filter(({ name }) => given[name] !== undefined);
  return {
    _: entry.name,
    ...Object.fromEntries(members.map((one) => [one.name, toTl(one.type, given[one.name])])),
  };
}

/** The reverse of `toTl`. */
export function fromTl(value: unknown): unknown {
  if (Long.isLong(value)) return value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(fromTl);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, fromTl(member)]));
}

/** What mtcute's binary reader makes of what its writer makes of a TL object in JSON. */
export function throughBinary(value: object): object {
  const written = TlBinaryWriter.serializeObject(__tlWriterMap, toTl('', value) as { _: string });
  return TlBinaryReader.deserializeObject(__tlReaderMap, written) as object;
}

/** How a result or an update differs after mtcute's binary writer and reader; as an answer of a method it may be a Bool or a vector. */
export function checkBinary(value: unknown): string[] {
  const { _: tag, items } = value as { _: string; items?: unknown[] };
  if (tag === 'boolTrue' || tag === 'boolFalse') return [];
  if (tag === 'vector')
    return (items ?? []).flatMap((item) => (typeof item === 'object' ? checkBinary(item) : []));
  const whole = fillFlags(value as object);
  try {
    return differences(whole, fromTl(throughBinary(whole)), '');
  } catch (error) {
    return [`${tag}: ${error}`];
  }
}

/** A request, written and read as a server reads it. */
export function requestThroughBinary(request: { _: string }): Json {
  const written = TlBinaryWriter.serializeObject(__tlWriterMap, request);
  const entry = getSchema().methods.get(request._);
  if (!entry) throw new TypeError(`The TL schema has no method ${request._}`);
  const read = readFields(entry, new TlBinaryReader(__tlReaderMap, written, 4));
  const found = differences(
    withoutFlags(fromTl(request)),
    withoutFlags(fromTl({ _: entry.name, ...read })),
    '',
  );
  if (found.length > 0) throw new Error(`${entry.name}: ${found.join(', ')}`);
  return fromTl(read) as Json;
}

// mtcute reads results only: params are read by the schema.
function readFields(entry: SchemaEntry, reader: TlBinaryReader): Json {
  const flags = new Map<string, number>();
  const read: Json = {};
  const fields = fieldsOf(entry).values();
  for (const { name, type, typeModifiers: { predicate, isVector } = {} } of entry.arguments) {
    if (type === '#') {
      flags.set(name, reader.uint());
      continue;
    }
    const field = fields.next().value?.name ?? name;
    const [bits = '', bit] = predicate?.split('.') ?? [];
    if (predicate && ((flags.get(bits) ?? 0) & (1 << Number(bit))) === 0) continue;
    if (type === 'true') read[field] = true;
    else read[field] = isVector ? reader.vector(readerOf(reader, type)) : readerOf(reader, type)();
  }
  return read;
}

function readerOf(reader: TlBinaryReader, type: string): () => unknown {
  const plain = {
    ...Object.fromEntries(
      ['int', 'int53', 'long', 'double', 'string', 'bytes', 'int128', 'int256'].map((name) => [name, name]),
    ),
    Bool: 'boolean',
  }[type];
  const name = (plain ?? 'object') as 'object';
  return () => reader[name]();
}

// A flag that is false is one that is not there, and no limit at all is written as 0.
function withoutFlags(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return 0;
  if (Array.isArray(value)) return value.map(withoutFlags);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== false);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutFlags(member)]));
}

function differences(wanted: unknown, found: unknown, path: string): string[] {
  if (isDeepStrictEqual(wanted, found)) return [];
  if (typeof wanted === 'object' && typeof found === 'object' && wanted !== null && found !== null) {
    const names = new Set([...Object.keys(wanted), ...Object.keys(found)]);
    return [...names].flatMap((name) =>
      differences((wanted as Json)[name], (found as Json)[name], `${path}/${name}`),
    );
  }
  return [`${path} is ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`];
}
