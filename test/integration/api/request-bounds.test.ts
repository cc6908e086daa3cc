import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApi } from '../../support/api/api.ts';
import { REQUEST_BOUNDS } from '../../support/api/request-bounds.ts';

interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  type?: string | string[];
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
}

interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
}

let api: TestApi;
// biome-ignore lint/suspicious/noExplicitAny: a document of any shape
let document: any;
beforeAll(async () => {
  api = await TestApi.start();
  ({ body: document } = await api.request('GET', '/openapi.json'));
});
afterAll(() => api.stop());

const VERBS = ['get', 'put', 'post', 'patch', 'delete'];

/** The members of a request's schema that can grow without a bound. */
function* boundless(schema: Schema, path: string): Generator<string> {
  const { $ref, anyOf = [], oneOf = [], allOf = [], items, properties = {} } = schema;
  // What TL allows is bounded by each method.
  if ($ref?.includes('/TL.')) return;
  if ($ref !== undefined) yield* boundless(document.components.schemas[$ref.split('/').at(-1) ?? ''], path);
  if (isBoundless(schema)) yield path;
  for (const part of [...anyOf, ...oneOf, ...allOf]) yield* boundless(part, path);
  if (items !== undefined) yield* boundless(items, `${path}[]`);
  for (const [name, member] of Object.entries(properties)) yield* boundless(member, `${path}/${name}`);
}

function isBoundless(schema: Schema): boolean {
  const types = [schema.type ?? []].flat();
  const isFixed = schema.enum !== undefined || schema.const !== undefined || schema.format !== undefined;
  if (types.includes('string')) return !isFixed && schema.maxLength === undefined;
  if (types.includes('array')) return schema.maxItems === undefined;
  return typeof schema.additionalProperties === 'object' && schema.maxProperties === undefined;
}

/** Whether it is of a method's params: what TL allows each method bounds for itself, and the body's limit bounds them all. */
function isOfMethod(path: string, member: string): boolean {
  return path.includes('/call/') && member.startsWith('/params/');
}

// Addresses and headers share a bound of 16 KiB.
it('bounds every member of every body', () => {
  const found: string[] = [];
  for (const [path, operations] of Object.entries<Record<string, Operation>>(document.paths)) {
    for (const verb of VERBS) {
      for (const { schema } of Object.values(operations[verb]?.requestBody?.content ?? {})) {
        const members = [...boundless(schema, '')].filter((member) => !isOfMethod(path, member));
        found.push(...members.map((member) => `${verb.toUpperCase()} ${path} ${member}`));
      }
    }
  }
  expect(found).toEqual([]);
});

it('knows of each request which bounds of docs/limits.md apply to it', () => {
  const page = readFileSync(fileURLToPath(new URL('../../../docs/limits.md', import.meta.url)), 'utf8');
  const sections = [...page.matchAll(/^### (.*)$/gm)].map(([, name = '']) => name);
  expect(sections).toEqual(expect.arrayContaining([...Object.keys(REQUEST_BOUNDS), 'Things and keys']));
  const listed = new Set(Object.values(REQUEST_BOUNDS).flat().flatMap(requestsOf));
  const routes = api.routes
    .filter(({ method }) => method !== 'HEAD')
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  expect(routes.filter((route) => !listed.has(route))).toEqual([]);
  expect([...listed].filter((request) => !routes.includes(request))).toEqual([]);
});

function requestsOf(line: string): string[] {
  const [verbs = '', path = ''] = line.split(' ');
  return verbs.split(',').flatMap((verb) => pathsOf(path).map((one) => `${verb} ${one}`));
}

/** `/v1/{calls,audit}` stands for two paths; braces without a comma hold a parameter. */
function pathsOf(path: string): string[] {
  const found = /\{([^{},]+(?:,[^{},]+)+)\}/.exec(path);
  if (found === null) return [path];
  const [braces, names = ''] = found;
  return names.split(',').flatMap((name) => pathsOf(path.replace(braces, name)));
}
