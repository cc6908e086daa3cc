import type { FastifyInstance } from 'fastify';
import type { DestinationStream } from 'pino';
import { buildApp } from '../../../src/api/app.ts';
import type { AccountControl, ApiDeps } from '../../../src/api/deps.ts';
import { KeyClaims } from '../../../src/api/limits/key-claims.ts';
import { OrderGate } from '../../../src/api/limits/order-gate.ts';
import { RateLimiter } from '../../../src/api/limits/rate-limiter.ts';
import { Reads } from '../../../src/api/limits/reads.ts';
import { Metrics } from '../../../src/api/metrics.ts';
import { readmitLate } from '../../../src/api/plugins/principal.ts';
import { readAsyncTotals } from '../../../src/async-calls/async-totals.ts';
import { readConfig } from '../../../src/config.ts';
import { Control } from '../../../src/control/control.ts';
import { openDirectory } from '../../../src/directory/directory.ts';
import type { Scope } from '../../../src/directory/scopes.ts';
import { Scaling } from '../../../src/fleet/scaling.ts';
import { openLogger } from '../../../src/logger.ts';
import { AsyncCalls } from '../../../src/queue/async-calls.ts';
import { AsyncQueue } from '../../../src/queue/async-queue.ts';
import { HeldCalls } from '../../../src/queue/submit/held-calls.ts';
import { WebhookQueue } from '../../../src/queue/webhook-queue.ts';
import { RedisClock } from '../../../src/redis/clock.ts';
import type { ConnectionRole, RedisConnection } from '../../../src/redis/connections.ts';
import { openRedis, untilReady } from '../../../src/redis/connections.ts';
import { NO_TRACING } from '../../../src/tracing/trace.ts';
import { UpdateFollower } from '../../../src/updates/follow-updates.ts';
import { readWebhookTotals } from '../../../src/webhooks/webhook-totals.ts';
import { startTestRedis, type TestRedis } from '../redis/redis.ts';
import { NO_ADMISSION, NO_LOAD } from './no-load.ts';

const ROOT_KEY = 'root-key-of-the-tests';

/** An answer with its body parsed where it is JSON. */
export interface ApiAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  body: any;
}

export interface RequestOptions {
  /** Null for none; the root key by default. */
  key?: string | null;
  headers?: Record<string, string>;
}

/** What is asked of drivers is written down here; a test may make it fail. */
export interface OrderBook {
  orders: { order: string; accountId: string; params?: unknown }[];
  failWith: Error | null;
}

/** The API tier alone, over a Redis of its own: there is no worker, so calls are not answered. */
export class TestApi {
  readonly server: TestRedis;
  readonly redis: RedisConnection;
  /** That of reads that may be long. */
  readonly reads: RedisConnection;
  readonly subscriber: RedisConnection;
  readonly app: FastifyInstance;
  readonly deps: ApiDeps;
  readonly url: string;
  readonly book: OrderBook;
  readonly rootKey = ROOT_KEY;
  /** Every route of the app, as it was registered. */
  readonly routes: { method: string; path: string }[];

  private constructor(
    parts: Pick<
      TestApi,
      'server' | 'redis' | 'reads' | 'app' | 'deps' | 'url' | 'book' | 'routes' | 'subscriber'
    >,
  ) {
    this.server = parts.server;
    this.redis = parts.redis;
    this.reads = parts.reads;
    this.subscriber = parts.subscriber;
    this.app = parts.app;
    this.deps = parts.deps;
    this.url = parts.url;
    this.book = parts.book;
    this.routes = parts.routes;
  }

  /**
   * Its log goes to `logTo`, if that is given and the environment names a level. `role` is that of its connections to Redis: those of
   * `request`, as a real API has them, give up after two seconds, in which a busy machine may not get round to a test.
   */
  static async start(
    env: Record<string, string> = {},
    { logTo, role = 'submit' }: { logTo?: DestinationStream; role?: ConnectionRole } = {},
  ): Promise<TestApi> {
    const server = await startTestRedis();
    const redis = openRedis(server.url, role, () => undefined);
    const reads = openRedis(server.url, role, () => undefined);
    await Promise.all([untilReady(redis), untilReady(reads)]);
    const subscriber = openRedis(server.url, 'subscriber', () => undefined);
    const config = readConfig({
      REDIS_URL: server.url,
      LOG_LEVEL: 'silent',
      ...env,
    });
    const log = openLogger(config, 'test', logTo);
    const book: OrderBook = { orders: [], failWith: null };
    const clock = new RedisClock(redis);
    await clock.start();
    const control = new Control(redis, log, config);
    await control.start();
    const bounds = { inFlightMax: 1_000, bytesInFlightMax: 2 ** 28 };
    const directory = await openDirectory(redis, config, ROOT_KEY, async (what) => void (await what()), log);
    const deps: ApiDeps = {
      config,
      log,
      connections: [redis, reads],
      data: { isReported: false, losses: 0 },
      directory,
      calls: {
        processName: 'test',
        load: NO_LOAD,
        submit: () => Promise.reject(new Error('there is no queue here')),
      },
      control,
      held: new HeldCalls({ bounds, pauses: control.pauses, admission: NO_ADMISSION }),
      admission: NO_ADMISSION,
      asyncCalls: new AsyncCalls({
        redis,
        queue: new AsyncQueue(redis),
        clock,
        limits: { openMax: 1_000, bytesMax: 2 ** 28 },
        log,
      }),
      updates: new UpdateFollower(reads, subscriber, log),
      reads: new Reads(reads, config),
      webhooks: new WebhookQueue(redis),
      accountControl: bookOrders(book),
      claims: new KeyClaims(),
      orders: new OrderGate(NO_ADMISSION, readmitLate(directory)),
      clock,
      metrics: new Metrics(),
      scaling: new Scaling({
        redis,
        readLanes: async () => [],
        readAsyncCalls: () => readAsyncTotals(redis),
        readWebhooks: () => readWebhookTotals(redis),
        config,
        slowPerWorker: 96,
      }),
      rateLimiter: new RateLimiter(redis, log),
      tracing: NO_TRACING,
      lifecycle: { draining: false },
      memory: { isFull: false, refusesWrites: false },
      workers: { isMissing: false },
    };
    const routes: TestApi['routes'] = [];
    const app = buildApp(deps, ({ method, url }) => {
      for (const verb of [method].flat()) routes.push({ method: verb, path: url });
    });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    return new TestApi({
      server,
      redis,
      reads,
      app,
      deps,
      url,
      book,
      routes,
      subscriber,
    });
  }

  async request(
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
  ): Promise<ApiAnswer> {
    const { key = ROOT_KEY, headers = {} } = options;
    const response = await fetch(`${this.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : text,
    };
  }

  /** The body of a request that has to succeed. */
  async ok(
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
  ): Promise<ApiAnswer['body']> {
    const answer = await this.request(method, path, body, options);
    if (answer.status >= 400)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** An organization with a workspace and an account in it. */
  async aTenant(): Promise<{
    organizationId: string;
    workspaceId: string;
    accountId: string;
  }> {
    const { id: organizationId } = await this.ok('POST', '/v1/organizations', {
      name: 'Organization',
    });
    const { id: workspaceId } = await this.ok('POST', '/v1/workspaces', {
      name: 'Workspace',
      organizationId,
    });
    const account = { name: 'Account', workspaceId, driver: 'sandbox' };
    const { id: accountId } = await this.ok('POST', '/v1/messenger-accounts', account);
    return { organizationId, workspaceId, accountId };
  }

  /** The secret of a new API key. */
  async aKey(place: { organizationId: string } | { workspaceId: string }, scopes: Scope[]): Promise<string> {
    const { secret } = await this.ok('POST', '/v1/api-keys', {
      name: 'Key',
      scopes,
      ...place,
    });
    return secret;
  }

  async stop(): Promise<void> {
    await this.app.close();
    this.deps.clock.stop();
    this.deps.directory.close();
    this.deps.control.stop();
    this.redis.disconnect();
    this.reads.disconnect();
    this.subscriber.disconnect();
    await this.server.stop();
  }
}

const ORDER_ANSWERS: Record<string, object> = {
  getFaults: { faults: [] },
  getSponsoredMessages: { messages: [] },
  setSponsoredMessages: { messages: [] },
  resetAccount: { done: true },
  getExamples: { examples: {} },
};

function bookOrders(book: OrderBook): AccountControl {
  let users = 1_000;
  const take = async (order: string, accountId: string, params?: unknown) => {
    book.orders.push({ order, accountId, params });
    if (book.failWith !== null) throw book.failWith;
  };
  return {
    async connectAccount({ id }) {
      await take('connectAccount', id);
      return { userId: users++, username: `user${users}`, phone: '+10000' };
    },
    disconnectAccount: ({ id }) => take('disconnectAccount', id),
    async control({ id }, order, params) {
      await take(order, id, params);
      return ORDER_ANSWERS[order] ?? {};
    },
  };
}

function isRaw(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array;
}
