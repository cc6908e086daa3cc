import { on } from 'node:events';
import { Agent, request as send } from 'node:http';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type HostileRequest, hostileRequests } from '../support/http/hostile-requests.ts';
import { type Account, Service, type ServiceProcess } from '../support/service/service.ts';

const AT_ONCE = 50;
const REQUESTS = Number(process.env.HOSTILE_REQUESTS ?? 10_000);
const SEED = Number(process.env.HOSTILE_SEED ?? 20_260_101);
/** Pino's number for `error`. */
const ERROR_LEVEL = 50;
const MAX_GROWTH_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 60_000 + REQUESTS * 30;
/** What says that it is not a fault: nothing executes the method, or too much is under way. */
const DELIBERATE = new Set([501, 503]);

interface Answer {
  status: number;
  type: string;
  body: string;
}

interface Memory {
  heapUsed: number;
  external: number;
  sockets: number;
}

const statuses = new Map<number, number>();

let service: Service;
let account: Account;
let fixtures: Record<string, string>;
let keys: string[];

beforeAll(async () => {
  const preload = pathToFileURL('test/support/service/report-memory.mjs').href;
  service = await Service.start({ env: { NODE_OPTIONS: `--import=${preload}` } });
  const { id: workspaceId, organizationId } = await service.aWorkspace();
  account = await service.anAccount(workspaceId);
  const key = {
    name: 'x',
    workspaceId,
    scopes: ['calls:write', 'accounts:read', 'accounts:write', 'updates:read'],
  };
  const { id: keyId, secret } = await service.ok('POST', '/v1/api-keys', key);
  keys = [service.rootKey, service.rootKey, secret];
  fixtures = {
    workspaceId,
    accountId: account.id,
    method: 'messages.sendMessage',
    name: 'messages.sendMessage',
    organizations: organizationId,
    workspaces: workspaceId,
    'messenger-accounts': account.id,
    'api-keys': keyId,
  };
});
afterAll(() => service.stop());

/** What a parameter of a path is for the tenant; `{id}` says by its collection what it is. */
function placeOf(path: string, parameter: string): string {
  const collection = /^\/v1\/([a-z-]+)\/\{id\}/.exec(path)?.[1] ?? '';
  return fixtures[parameter === 'id' ? collection : parameter] ?? 'call_01h455vb4pex5vsknk084sn02q';
}

function exchange(agent: Agent, { method, path, headers, body, encoding }: HostileRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    const bytes = body === null ? undefined : Buffer.from(body, encoding);
    const length = bytes === undefined ? {} : { 'content-length': String(bytes.length) };
    const sent = send(
      { agent, hostname, port, method, path, headers: { ...headers, ...length } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        const type = response.headers['content-type'] ?? '';
        response
          .on('end', () => resolve({ status: response.statusCode ?? 0, type, body: text }))
          .on('error', reject);
      },
    );
    sent.on('error', reject).end(bytes);
  });
}

async function check(agent: Agent, request: HostileRequest): Promise<void> {
  const { status, type, body } = await exchange(agent, request);
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  if (status >= 500 && !DELIBERATE.has(status)) throw new Error(`${status}: ${body}`);
  if (status < 400 || request.method === 'HEAD' || !type.includes('problem+json')) {
    if (status >= 400 && request.method !== 'HEAD')
      throw new Error(`${status} is no problem document: ${body}`);
    return;
  }
  const problem = JSON.parse(body);
  if (problem.status !== status || typeof problem.code !== 'string') throw new Error(`${status}: ${body}`);
}

async function memoryOf({ child }: ServiceProcess): Promise<Memory> {
  child.send('memory?');
  // An API process also tells by a message that it listens.
  for await (const [message] of on(child, 'message')) if ('heapUsed' in message) return message;
  throw new Error('The process ended before it told its memory.');
}

function processes(): ServiceProcess[] {
  return [...service.apis, ...service.workers];
}

test(
  `${REQUESTS} hostile requests are answered as they deserve, and leave nothing behind`,
  async () => {
    const document = await service.ok('GET', '/openapi.json');
    // What it sets would change what all others are answered.
    delete document.paths['/v1/settings'].patch;
    const batches = fc.array(hostileRequests(document, { keys, placeOf }), {
      minLength: AT_ONCE,
      maxLength: AT_ONCE,
    });
    const run = async (numRuns: number, seed: number) => {
      const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
      const property = fc.asyncProperty(batches, async (requests) => {
        await Promise.all(requests.map((request) => check(agent, request)));
      });
      await fc.assert(property, { numRuns, seed, endOnFailure: process.env.HOSTILE_SHRINK === undefined });
      agent.destroy();
    };
    const runs = Math.ceil(REQUESTS / AT_ONCE / 2);
    await run(runs, SEED);
    const before = await Promise.all(processes().map(memoryOf));
    await run(runs, SEED + 1);
    const after = await Promise.all(processes().map(memoryOf));
    for (const [at, then] of before.entries()) {
      const now = after[at] as Memory;
      expect(now.heapUsed + now.external - then.heapUsed - then.external).toBeLessThan(MAX_GROWTH_BYTES);
      await eventually(
        async () => (await memoryOf(processes()[at] as ServiceProcess)).sockets <= then.sockets + 2,
      );
    }
    for (const { child, logs, stderr } of processes()) {
      const errors = logs.filter(({ level }) => Number(level) >= ERROR_LEVEL);
      expect([child.exitCode, child.signalCode, errors, stderr.join('')]).toEqual([null, null, [], '']);
    }
    // They came past the first checks, and to the methods themselves.
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404, 405, 415]));
    expect((await service.call(account, 'help.getSupport', {})).status).toBe(200);
  },
  TIMEOUT_MS,
);
