import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { eventually } from '../eventually.ts';
import { startTestRedis, type TestRedis } from '../redis/redis.ts';
import { startTestCluster } from '../redis/redis-cluster.ts';
import { checkAnswer } from './check-answer.ts';
import { checkStreams } from './check-streams.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const ROOT_KEY = 'root-key-of-the-tests';
// Many processes that start at once on a busy machine take long.
const START_MS = 60_000;

/** Whether services of tests stand on a cluster of three masters and their replicas, as with `TEST_REDIS=cluster`. */
export const RUNS_ON_CLUSTER = process.env.TEST_REDIS === 'cluster';

/** A started process of the service. */
export interface ServiceProcess {
  child: ChildProcess;
  /** Its log lines so far, parsed. */
  logs: Record<string, unknown>[];
  /** What it wrote to standard error. */
  stderr: string[];
}

export interface ApiProcess extends ServiceProcess {
  url: string;
}

/** An answer with its body read: parsed where it is JSON. */
export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  body: any;
}

/** A messenger account as the management API shows it. */
export interface Account {
  id: string;
  workspaceId: string;
  userId: number;
  username: string;
}

/** The real service, as real processes over a Redis of its own, spoken to over HTTP only. */
export class Service {
  readonly redis: TestRedis;
  readonly env: Record<string, string>;
  readonly apis: ApiProcess[] = [];
  readonly workers: ServiceProcess[] = [];
  readonly rootKey = ROOT_KEY;
  /** Every process of it so far, also those that are not ready yet. */
  readonly spawned: ServiceProcess[] = [];

  private constructor(redis: TestRedis, env: Record<string, string>) {
    this.redis = redis;
    this.env = env;
  }

  static async start(
    options: {
      apis?: number;
      workers?: number;
      env?: Record<string, string>;
      redisArgs?: string[];
      cluster?: boolean;
      /** One that is there already, and is stopped with the service. */
      redis?: TestRedis;
    } = {},
  ): Promise<Service> {
    const { apis = 1, workers = 1, cluster = RUNS_ON_CLUSTER, redisArgs: args = [] } = options;
    const redis = options.redis ?? (await (cluster ? startTestCluster({ args }) : startTestRedis({ args })));
    const service = new Service(redis, options.env ?? {});
    try {
      await Promise.all([
        ...Array.from({ length: apis }, () => service.startApi()),
        ...Array.from({ length: workers }, () => service.startWorker()),
      ]);
    } catch (error) {
      await service.stop();
      throw error;
    }
    return service;
  }

  get url(): string {
    return (this.apis[0] as ApiProcess).url;
  }

  async startApi(env: Record<string, string> = {}): Promise<ApiProcess> {
    const started = this.spawn('dist/src/api/main.js', { PORT: '0', ...env });
    const line = await untilLogged(started, 'api listening');
    const api = { ...started, url: String(line.address) };
    this.apis.push(api);
    return api;
  }

  async startWorker(env: Record<string, string> = {}): Promise<ServiceProcess> {
    const worker = this.spawn('dist/workers/main.js', env);
    await untilLogged(worker, 'worker is ready');
    this.workers.push(worker);
    return worker;
  }

  /** Sends a request with the root key, or with the key given (null: none). Whatever TL is in the answer is checked. */
  async request(
    method: string,
    path: string,
    body?: unknown,
    options: {
      key?: string | null;
      headers?: Record<string, string>;
      url?: string;
      signal?: AbortSignal;
    } = {},
  ): Promise<Answer> {
    const key = options.key === undefined ? ROOT_KEY : options.key;
    const response = await fetch(`${options.url ?? this.url}${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json') && text !== '';
    const { status, headers } = response;
    const answer = { status, headers, body: json ? JSON.parse(text) : text };
    checkAnswer(path, answer);
    return answer;
  }

  /** Sends a request that has to succeed and gives its body. */
  async ok(method: string, path: string, body?: unknown): Promise<Answer['body']> {
    const answer = await this.request(method, path, body);
    if (answer.status >= 400)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Calls a method for an account and gives the whole answer. */
  call(
    account: Account,
    method: string,
    params: object,
    options: Parameters<Service['request']>[3] = {},
  ): Promise<Answer> {
    const path = `/workspaces/${account.workspaceId}/messenger-accounts/${account.id}/call/${method}`;
    return this.request('POST', path, { params }, options);
  }

  /** Calls a method that has to succeed and gives its result. */
  async result(account: Account, method: string, params: object): Promise<Answer['body']> {
    const answer = await this.call(account, method, params);
    if (answer.status !== 200) throw new Error(`${method}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.result;
  }

  /** A new workspace in a new organization. */
  async aWorkspace(): Promise<{ id: string; organizationId: string }> {
    const organization = await this.ok('POST', '/v1/organizations', {
      name: 'Organization',
    });
    return this.ok('POST', '/v1/workspaces', {
      name: 'Workspace',
      organizationId: organization.id,
    });
  }

  /** A new sandbox account. */
  anAccount(workspaceId: string, settings: Record<string, unknown> = {}): Promise<Account> {
    return this.ok('POST', '/v1/messenger-accounts', {
      name: 'Account',
      workspaceId,
      driver: 'sandbox',
      ...settings,
    });
  }

  /** All updates of a workspace so far, from the beginning or after an offset. */
  // biome-ignore lint/suspicious/noExplicitAny: updates are of any shape
  async updates(workspaceId: string, offset = '-1', filter = '', url = this.url): Promise<any[]> {
    const found = [];
    for (let at = offset; ; ) {
      const path = `/v1/workspaces/${workspaceId}/updates?offset=${at}&${filter}`;
      const page = await this.request('GET', path, undefined, { url });
      if (page.status !== 200) throw new Error(`updates: ${page.status} ${JSON.stringify(page.body)}`);
      found.push(...page.body);
      at = page.headers.get('stream-next-offset') ?? at;
      if (page.headers.get('stream-up-to-date') === 'true') return found;
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.spawned.map(({ child }) => stopChild(child)));
    try {
      const skipped = await checkStreams(this.redis.url);
      if (skipped > 0) console.warn(`${skipped} updates were not checked against the TL schema`);
    } finally {
      await this.redis.stop();
    }
  }

  private spawn(script: string, env: Record<string, string>): ServiceProcess {
    const child = spawn(process.execPath, [script], {
      cwd: ROOT,
      env: {
        ...process.env,
        HOST: '127.0.0.1',
        REDIS_URL: this.redis.url,
        SWITCHBOARD_ROOT_KEY: ROOT_KEY,
        LOG_LEVEL: 'info',
        // What is too much for a slow machine must not be refused where that is not what is tested.
        ADMISSION_MAX_WAIT_MS: '120000',
        ...this.env,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const started: ServiceProcess = { child, logs: [], stderr: [] };
    this.spawned.push(started);
    let cutOff: string | null = null;
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      if (cutOff !== null) throw new Error(`no line of a log: ${cutOff}`);
      try {
        started.logs.push(JSON.parse(line));
      } catch {
        // The last line of a process that was killed may not be whole.
        cutOff = line;
      }
    });
    child.once('close', (_code, signal) => {
      if (cutOff !== null && signal !== 'SIGKILL') throw new Error(`no line of a log: ${cutOff}`);
    });
    child.stderr?.on('data', (chunk) => started.stderr.push(String(chunk)));
    return started;
  }
}

async function untilLogged(started: ServiceProcess, msg: string): Promise<Record<string, unknown>> {
  const look = () => {
    const found = started.logs.find((line) => line.msg === msg);
    if (found === undefined && hasEnded(started.child))
      throw new Error(`the process ended: ${started.stderr.join('')}`);
    return found;
  };
  return eventually(look, { timeoutMs: START_MS });
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exited = once(child, 'exit');
  child.kill('SIGCONT');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await exited;
  clearTimeout(timer);
}
