import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A field of a constructor or a param of a method, as the schema file has it. */
interface SchemaField {
  name: string;
  type: string;
  comment?: string;
  typeModifiers?: { predicate?: string; isVector?: boolean };
}

/** A constructor (`class`) or a method of the TL schema, as its file has it. */
export interface SchemaEntry {
  kind: 'class' | 'method';
  name: string;
  type: string;
  comment?: string;
  arguments: SchemaField[];
  throws?: { code: number; name: string; comment: string }[];
  typeModifiers?: { isVector?: boolean };
}

/** The TL schema: what can be called and what can be said. */
export interface Schema {
  constructors: ReadonlyMap<string, SchemaEntry>;
  /** The constructors of each type, by its name. */
  types: ReadonlyMap<string, readonly SchemaEntry[]>;
  methods: ReadonlyMap<string, SchemaEntry>;
}

let loaded: Schema | undefined;

/** The TL schema that mtcute ships, read and parsed when it is first asked for. */
export function getSchema(): Schema {
  loaded ??= indexEntries(readTlFile<{ e: SchemaEntry[] }>('api-schema.json').e);
  return loaded;
}

/** Parses one of the JSON files that mtcute keeps beside its schema. */
export function readTlFile<T>(name: 'api-schema.json' | 'raw-errors.json'): T {
  const path = createRequire(import.meta.url).resolve(`@mtcute/core/tl/${name}`);
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}

function indexEntries(entries: SchemaEntry[]): Schema {
  const constructors = new Map<string, SchemaEntry>();
  const types = new Map<string, SchemaEntry[]>();
  const methods = new Map<string, SchemaEntry>();
  for (const entry of entries) {
    // mtcute's own additions are nothing a messenger knows.
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
