import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A field of a constructor or a param of a method, as in the schema file. */
interface SchemaField {
  name: string;
  type: string;
  comment?: string;
  typeModifiers?: { predicate?: string; isVector?: boolean };
}

/** A constructor (`class`) or a method, as in the schema file. */
export interface SchemaEntry {
  kind: 'class' | 'method';
  name: string;
  type: string;
  comment?: string;
  arguments: SchemaField[];
  throws?: { code: number; name: string; comment: string }[];
  typeModifiers?: { isVector?: boolean };
}

/** The TL schema: methods, constructors and types. */
export interface Schema {
  constructors: ReadonlyMap<string, SchemaEntry>;
  /** The constructors of each type, by its name. */
  types: ReadonlyMap<string, readonly SchemaEntry[]>;
  methods: ReadonlyMap<string, SchemaEntry>;
}

let loaded: Schema | undefined;

/** The TL schema that mtcute ships, parsed on first use. */
export function getSchema(): Schema {
  loaded ??= indexEntries(readTlFile<{ e: SchemaEntry[] }>('api-schema.json').e);
  return loaded;
}

/** Parses one of the JSON files of mtcute's schema. */
export function readTlFile<T>(name: 'api-schema.json' | 'raw-errors.json'): T {
  const path = createRequire(import.meta.url).resolve(`@mtcute/core/tl/${name}`);
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}

function indexEntries(entries: SchemaEntry[]): Schema {
  const constructors = new Map<string, SchemaEntry>();
  const types = new Map<string, SchemaEntry[]>();
  const methods = new Map<string, SchemaEntry>();
  for (const entry of entries) {
    // Messengers do not know mtcute's own additions.
    if (entry.name.startsWith('mtcute.')) continue;
    if (entry.kind === 'method') {
      methods.set(entry.name, entry);
      continue;
    }
    constructors.set(entry.name, entry);
    const siblings = types.get(entry.type);
    if (siblings) siblings.push(entry);
    else types.set(entry.type, [entry]);
  }
  return { constructors, types, methods };
}
