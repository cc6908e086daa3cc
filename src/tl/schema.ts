import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A field of a constructor or a parameter of a method, as the schema file has it. */
export interface SchemaField {
  name: string;
  type: string;
  comment?: string;
  typeModifiers?: { predicate?: string; isVector?: boolean };
}

/** A constructor (`class`) or a method of the TL schema. */
export interface SchemaEntry {
  kind: 'class' | 'method';
  name: string;
  type: string;
  comment?: string;
  arguments: SchemaField[];
  throws?: { code: number; name: string; comment?: string }[];
  available?: 'user' | 'bot' | 'both';
  typeModifiers?: { isVector?: boolean };
}

interface Schema {
  layer: number;
  /** Constructors by name. */
  constructors: ReadonlyMap<string, SchemaEntry>;
  /** Names of the constructors of each type. */
  unions: ReadonlyMap<string, string[]>;
  methods: ReadonlyMap<string, SchemaEntry>;
}

const folder = dirname(createRequire(import.meta.url).resolve('@mtcute/core/tl/api-schema.json'));

/** The TL schema that the package mtcute ships, read once. */
export const schema: Schema = loadSchema();

/** Reads one of the JSON files that lie beside the schema. */
export function readSchemaFile<T>(name: string): T {
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as T;
}

function loadSchema(): Schema {
  const { l: layer, e: entries } = readSchemaFile<{ l: number; e: SchemaEntry[] }>('api-schema.json');
  const constructors = new Map<string, SchemaEntry>();
  const unions = new Map<string, string[]>();
  const methods = new Map<string, SchemaEntry>();
  for (const entry of entries) {
    if (entry.kind === 'method') {
      methods.set(entry.name, entry);
      continue;
    }
    if (entry.name.startsWith('mtcute.')) continue;
    constructors.set(entry.name, entry);
    const union = unions.get(entry.type);
    if (union) union.push(entry.name);
    else unions.set(entry.type, [entry.name]);
  }
  return { layer, constructors, unions, methods };
}

/** A field's name as it stands in JSON: `random_id` becomes `randomId`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
