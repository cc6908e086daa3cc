// Makes clients of an OpenAPI document with openapi-typescript and @hey-api/openapi-ts, and compiles programs in strict mode: what is
// right has to compile, and no line with something misspelt may. Usage: node typed-programs.mjs [openapi.json]
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';

const [file = 'openapi.json'] = process.argv.slice(2);
const FOLDER = 'typed-programs';
const CALL = '/workspaces/{workspaceId}/messenger-accounts/{accountId}/call';

// With openapi-fetch, over the types of openapi-typescript.
const FETCH = `import createClient from 'openapi-fetch';
import type { components, paths } from './api.d.ts';

const client = createClient<paths>({ baseUrl: 'http://localhost', headers: { authorization: 'Bearer key' } });
const path = { workspaceId: 'ws', accountId: 'acc' };
const SEND = '${CALL}/messages.sendMessage' as const;
const params = { peer: { _: 'inputPeerSelf' as const }, message: 'Hello' };

export async function sendAndWalk(): Promise<number | undefined> {
  const { data, error } = await client.POST(SEND, { params: { path, header: { 'Idempotency-Key': 'k' } }, body: { params } });
  if (error !== undefined) {
    const code: string = error.code;
    if (error.code === 'rate_limited') console.log(error.retryAfter, error.errors?.[0]?.pointer);
    throw new Error(code);
  }
  for (let next: string | null = null, isFirst = true; isFirst || next !== null; isFirst = false) {
    const query: { limit: number; startingAfter?: string } = { limit: 100, ...(next === null ? {} : { startingAfter: next }) };
    const page = await client.GET('/v1/workspaces', { params: { query } });
    for (const { name, weight } of page.data?.data ?? []) console.log(name.length + weight);
    next = page.data?.cursors.next ?? null;
  }
  if (!('result' in data) || data.result._ !== 'updates') return undefined;
  for (const update of data.result.updates)
    if (update._ === 'updateNewMessage' && update.message._ === 'message') console.log(update.message.message.length);
  return data.txid;
}

export async function misspell(): Promise<void> {
  // @ts-expect-error a member
  await client.POST(SEND, { params: { path }, body: { params: { peer: { _: 'inputPeerSelf' }, mesage: 'Hello' } } });
  // @ts-expect-error a member beside all that is needed
  await client.POST(SEND, { params: { path }, body: { params: { peer: { _: 'inputPeerSelf' }, message: 'Hello', silentt: true } } });
  // @ts-expect-error a member of what is within
  await client.POST(SEND, { params: { path }, body: { params: { peer: { _: 'inputPeerUser', userID: 1, accessHash: '0' }, message: 'x' } } });
  // @ts-expect-error a type tag
  await client.POST(SEND, { params: { path }, body: { params: { peer: { _: 'inputPeerSelff' }, message: 'Hello' } } });
  // @ts-expect-error a number for a text
  await client.POST(SEND, { params: { path }, body: { params: { peer: { _: 'inputPeerSelf' }, message: 5 } } });
  // @ts-expect-error a method
  await client.POST('${CALL}/messages.sendMesage', { params: { path }, body: { params } });
  // @ts-expect-error a name in the path
  await client.POST(SEND, { params: { path: { workspaceId: 'ws', account: 'acc' } }, body: { params } });
  // @ts-expect-error a parameter of a list
  await client.GET('/v1/workspaces', { params: { query: { limt: 5 } } });
  // @ts-expect-error a code of an error
  const code: components['schemas']['ProblemCode'] = 'rate_limit';
  const { data } = await client.POST(SEND, { params: { path }, body: { params } });
  // @ts-expect-error a member of the answer
  console.log(code, data?.txidd);
}
`;

const HEY = `import { createClient } from './hey/client/index.ts';
import { listWorkspaces, messagesSendMessage } from './hey/index.ts';
import * as sdk from './hey/index.ts';

const client = createClient({ baseUrl: 'http://localhost', headers: { authorization: 'Bearer key' } });
const path = { workspaceId: 'ws', accountId: 'acc' };
const params = { peer: { _: 'inputPeerSelf' as const }, message: 'Hello' };

export async function sendAndWalk(): Promise<number | undefined> {
  const { data, error } = await messagesSendMessage({ client, path, body: { params }, headers: { 'Idempotency-Key': 'k' } });
  if (error !== undefined) {
    const code: string = error.code;
    if (error.code === 'rate_limited') console.log(error.retryAfter, error.errors?.[0]?.pointer);
    throw new Error(code);
  }
  for (let next: string | null = null, isFirst = true; isFirst || next !== null; isFirst = false) {
    const query: { limit: number; startingAfter?: string } = { limit: 100, ...(next === null ? {} : { startingAfter: next }) };
    const page = await listWorkspaces({ client, query });
    for (const { name, weight } of page.data?.data ?? []) console.log(name.length + weight);
    next = page.data?.cursors.next ?? null;
  }
  if (data === undefined || !('result' in data) || data.result._ !== 'updates') return undefined;
  for (const update of data.result.updates)
    if (update._ === 'updateNewMessage' && update.message._ === 'message') console.log(update.message.message.length);
  return data.txid;
}

export async function misspell(): Promise<void> {
  // @ts-expect-error a member
  await messagesSendMessage({ client, path, body: { params: { peer: { _: 'inputPeerSelf' }, mesage: 'Hello' } } });
  // @ts-expect-error a member beside all that is needed
  await messagesSendMessage({ client, path, body: { params: { peer: { _: 'inputPeerSelf' }, message: 'Hello', silentt: true } } });
  // @ts-expect-error a member of what is within
  await messagesSendMessage({ client, path, body: { params: { peer: { _: 'inputPeerUser', userID: 1, accessHash: '0' }, message: 'x' } } });
  // @ts-expect-error a type tag
  await messagesSendMessage({ client, path, body: { params: { peer: { _: 'inputPeerSelff' }, message: 'Hello' } } });
  // @ts-expect-error a number for a text
  await messagesSendMessage({ client, path, body: { params: { peer: { _: 'inputPeerSelf' }, message: 5 } } });
  // @ts-expect-error a method
  await sdk.messagesSendMesage({ client, path, body: { params } });
  // @ts-expect-error a name in the path
  await messagesSendMessage({ client, path: { workspaceId: 'ws', account: 'acc' }, body: { params } });
  // @ts-expect-error a parameter of a list
  await listWorkspaces({ client, query: { limt: 5 } });
  const { data } = await messagesSendMessage({ client, path, body: { params } });
  // @ts-expect-error a member of the answer
  console.log(data?.txidd);
}
`;

const STRICT = {
  ...{ strict: true, noEmit: true, noUncheckedIndexedAccess: true, noImplicitReturns: true, types: [] },
  ...{
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable'],
  },
  ...{ allowImportingTsExtensions: true, skipLibCheck: true },
};

/** @param {string[]} args */
const npx = (...args) => execFileSync('npx', ['--no-install', ...args], { stdio: 'inherit' });

mkdirSync(FOLDER, { recursive: true });
npx('openapi-typescript', file, '-o', `${FOLDER}/api.d.ts`);
npx('openapi-ts', '-i', file, '-o', `${FOLDER}/hey`, '-c', '@hey-api/client-fetch');
const programs = {
  // What openapi-typescript makes holds in the strictest mode; what @hey-api/openapi-ts brings with it does not.
  fetch: { text: FETCH, compilerOptions: { ...STRICT, exactOptionalPropertyTypes: true } },
  hey: { text: HEY, compilerOptions: STRICT },
};
for (const [name, { text, compilerOptions }] of Object.entries(programs)) {
  writeFileSync(`${FOLDER}/${name}.ts`, text);
  writeFileSync(`${FOLDER}/${name}.json`, JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
  npx('tsc', '-p', `${FOLDER}/${name}.json`);
  console.log(`${name}: compiles, and ${text.split('@ts-expect-error').length - 1} misspelt lines do not`);
}
