import { isIP } from 'node:net';
import * as z from 'zod';
import { plainMessage } from './plain-message.ts';
import { parseRedisAddress, toClusterAddress } from './redis-address.ts';
import { count, countOrAuto, size, time } from './setting-values.ts';
import { suggestName } from './tl/suggest-name.ts';

const flag = z.enum(['0', '1', 'true', 'false']).transform((text) => text === '1' || text === 'true');

/** Names separated by commas. */
const names = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  );

/** The largest rate limit, and the longest window in seconds. */
export const RATE_LIMIT_MAX = 1_000_000;
export const RATE_WINDOW_SECONDS_MAX = 86_400;

/** The least and the largest value of numbers that can be changed at run time too. */
export const BOUNDS = {
  SCALING_TARGET_WAIT_MS: [10, 600_000],
  CONNECTIONS_MAX: [1, 1_000_000],
  CALLS_IN_FLIGHT_MAX: [1, 1_000_000],
  CALL_BYTES_IN_FLIGHT_MAX: [1024 * 1024, 2 ** 40],
  ANSWER_BYTES_IN_FLIGHT_MAX: [4 * 1024 * 1024, 2 ** 40],
  ADMISSION_MAX_WAIT_MS: [10, 600_000],
  ASYNC_CALLS_PER_WORKSPACE: [1, 10_000_000],
  ASYNC_CALL_BYTES_PER_WORKSPACE: [1024 * 1024, 2 ** 40],
  ASYNC_CONCURRENCY: [1, 1_000],
  SLOW_CALL_MS: [1, 600_000],
  WORKSPACE_BYTES_MAX: [0, 2 ** 50],
  ORGANIZATIONS_MAX: [1, 10_000_000],
  WORKSPACES_PER_ORGANIZATION: [1, 1_000_000],
  ACCOUNTS_PER_WORKSPACE: [1, 1_000_000],
  API_KEYS_PER_ORGANIZATION: [1, 10_000_000],
  API_KEYS_PER_WORKSPACE: [1, 1_000_000],
  WEBHOOKS_PER_WORKSPACE: [1, 10_000],
  SUBSCRIBERS_PER_KEY: [1, 1_000_000],
  TRACES_PER_SECOND: [1, 100_000],
} as const;

export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** Every setting with its default. `.env.example` documents the same names. */
const environment = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: count(0, 65_535).default(3000),
  REDIS_URL: z
    .string()
    .refine((text) => parseRedisAddress(text) !== null, 'it is not the address of a Redis')
    .optional(),
  REDIS_CLUSTER: z
    .string()
    .refine((list) => toClusterAddress(list) !== null, 'it is not a list of nodes')
    .optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
  LOG_FORMAT: z.enum(['auto', 'json', 'pretty']).default('auto'),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  CORS_ORIGINS: names.refine(
    (origins) => origins.every(isOrigin),
    'each must be an origin as browsers send it, such as https://example.com: in lower case, without a slash at the end; or *',
  ),
  /** Deprecated: it has no effect. */
  TRUSTED_PROXIES: names.refine(
    (proxies) => proxies.every(isNetwork),
    'each must be an IP address or a CIDR range',
  ),
  SHUTDOWN_GRACE_MS: time(0, 600_000).default(10_000),
  EVENT_LOOP_STALL_MAX_MS: time(0, 600_000)
    .refine((ms) => ms === 0 || ms >= 1_000, 'it must be 0, or 1000 and more')
    .default(15_000),
  SWITCHBOARD_ROOT_KEY: z
    .string()
    .min(16)
    .regex(/^[\x21-\x7e]+$/, 'only printable ASCII without spaces fits into a header')
    .optional(),
  SWITCHBOARD_SECRET: z.string().min(16).optional(),
  SWITCHBOARD_DATA_DIR: z.string().min(1).default('.switchboard'),
  SWITCHBOARD_API_PROCESSES: countOrAuto(1, 64).optional(),
  SWITCHBOARD_WORKERS: countOrAuto(1, 64).default('auto'),
  QUEUE_SHARDS: count(1, 64).default(1),
  CALL_TIMEOUT_MS: time(100, 600_000).default(30_000),
  SCALING_TARGET_WAIT_MS: time(...BOUNDS.SCALING_TARGET_WAIT_MS).default(500),
  CONNECTIONS_MAX: count(...BOUNDS.CONNECTIONS_MAX).default(20_000),
  CALLS_IN_FLIGHT_MAX: count(...BOUNDS.CALLS_IN_FLIGHT_MAX).default(20_000),
  CALL_BYTES_IN_FLIGHT_MAX: size(...BOUNDS.CALL_BYTES_IN_FLIGHT_MAX).default(128 * 1024 * 1024),
  ANSWER_BYTES_IN_FLIGHT_MAX: size(...BOUNDS.ANSWER_BYTES_IN_FLIGHT_MAX).default(64 * 1024 * 1024),
  ADMISSION_MAX_WAIT_MS: time(...BOUNDS.ADMISSION_MAX_WAIT_MS).default(1_000),
  ASYNC_CALL_EXPIRY_MS: time(1_000, 30 * 86_400_000).default(86_400_000),
  ASYNC_CALL_RUN_MS: time(100, 3_600_000).default(60_000),
  ASYNC_CALL_ATTEMPTS_MAX: count(1, 100).default(8),
  ASYNC_CALL_RETRY_MS: time(10, 3_600_000).default(1_000),
  ASYNC_CALLS_PER_WORKSPACE: count(...BOUNDS.ASYNC_CALLS_PER_WORKSPACE).default(100_000),
  ASYNC_CALL_BYTES_PER_WORKSPACE: size(...BOUNDS.ASYNC_CALL_BYTES_PER_WORKSPACE).default(256 * 1024 * 1024),
  ASYNC_CONCURRENCY: count(...BOUNDS.ASYNC_CONCURRENCY).default(32),
  SLOW_CALL_MS: time(...BOUNDS.SLOW_CALL_MS).default(1_000),
  WORKSPACE_BYTES_MAX: size(...BOUNDS.WORKSPACE_BYTES_MAX).default(1024 ** 3),
  UPDATES_RETENTION_MS: time(1_000, 3_650 * 86_400_000).default(7 * 86_400_000),
  UPDATES_RETENTION_COUNT: count(1, 1_000_000_000).default(1_000_000),
  KEY_RATE_LIMIT: z
    .string()
    .regex(/^[1-9]\d*\/[1-9]\d*$/, 'write LIMIT/SECONDS, such as 100/60')
    .transform((text) => {
      const [limit = 0, windowSeconds = 0] = text.split('/').map(Number);
      return { limit, windowSeconds };
    })
    .refine(
      ({ limit, windowSeconds }) => limit <= RATE_LIMIT_MAX && windowSeconds <= RATE_WINDOW_SECONDS_MAX,
      `at most ${RATE_LIMIT_MAX} requests in at most ${RATE_WINDOW_SECONDS_MAX} seconds`,
    )
    .optional(),
  ORGANIZATIONS_MAX: count(...BOUNDS.ORGANIZATIONS_MAX).default(10_000),
  WORKSPACES_PER_ORGANIZATION: count(...BOUNDS.WORKSPACES_PER_ORGANIZATION).default(1_000),
  ACCOUNTS_PER_WORKSPACE: count(...BOUNDS.ACCOUNTS_PER_WORKSPACE).default(10_000),
  API_KEYS_PER_ORGANIZATION: count(...BOUNDS.API_KEYS_PER_ORGANIZATION).default(10_000),
  API_KEYS_PER_WORKSPACE: count(...BOUNDS.API_KEYS_PER_WORKSPACE).default(1_000),
  WEBHOOKS_PER_WORKSPACE: count(...BOUNDS.WEBHOOKS_PER_WORKSPACE).default(50),
  SUBSCRIBERS_PER_KEY: count(...BOUNDS.SUBSCRIBERS_PER_KEY).default(2_000),
  WEBHOOKS_ALLOW_PRIVATE: flag.default(false),
  WEBHOOK_DNS_SERVERS: names.refine(
    (servers) => servers.every(isNameServer),
    'each must be an IP address, with a port or without one, such as 10.0.0.2:53 or [fd00::2]:53',
  ),
  WORKER_METRICS_PORT: count(0, 65_535).optional(),
  SANDBOX_CRASH_FAULTS: flag.default(false),
  TRACES_PER_SECOND: count(...BOUNDS.TRACES_PER_SECOND).default(100),
  // By the standard, which has any other value be false. The library itself reads those that only it needs.
  OTEL_SDK_DISABLED: z
    .string()
    .default('false')
    .transform((text) => text.toLowerCase() === 'true'),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).default('otlp'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(['http/protobuf', 'http/json']).default('http/protobuf'),
  OTEL_TRACES_SAMPLER: z.string().default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.string().optional(),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_RESOURCE_ATTRIBUTES: z.string().optional(),
});

/** The names of all settings. */
export const SETTING_NAMES = Object.keys(environment.shape);

const PREFIX = 'SWITCHBOARD_';

// Those of the command line.
const FOREIGN = ['URL', 'KEY', 'WORKSPACE', 'ACCOUNT'].map((name) => `${PREFIX}${name}`);

/** The checked settings of a process, by the names of the environment variables. `REDIS_URL` is also the address of a cluster. */
export type Config = z.output<typeof environment>;

/** Whether a text can be `SWITCHBOARD_ROOT_KEY`. */
export function isRootKey(text: string): boolean {
  return environment.shape.SWITCHBOARD_ROOT_KEY.safeParse(text).success;
}

/** A setting is wrong. The message is one sentence that names it. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Parses the environment, or throws a `ConfigError` that names the first wrong setting. An empty value counts as unset. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given, { error: plainMessage });
  if (parsed.success) return withOneRedis(parsed.data);
  const issue = parsed.error.issues[0];
  const name = issue?.path.join('.') ?? 'environment';
  const what = (issue?.message ?? 'not valid').replace(/\.$/, '');
  throw new ConfigError(`The setting ${name} is wrong: ${what.charAt(0).toLowerCase()}${what.slice(1)}.`);
}

/** A sentence about each variable that looks like a setting of Switchboard and is none. */
export function findUnknownSettings(env: NodeJS.ProcessEnv = process.env): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && ![...SETTING_NAMES, ...FOREIGN].includes(name))
    .map((name) => {
      const bare = name.slice(PREFIX.length);
      const meant = SETTING_NAMES.includes(bare) ? bare : suggestName(name, SETTING_NAMES);
      const hint = meant === null ? '.env.example lists those there are' : `did you mean ${meant}?`;
      return `There is no setting ${name}: ${hint}`;
    });
}

/** The environment for a child process: that of this process, with these settings replaced. */
export function inheritEnvironment(settings: { [Name in keyof Config]?: string }): NodeJS.ProcessEnv {
  return { ...process.env, ...settings };
}

function withOneRedis(config: Config): Config {
  const { REDIS_CLUSTER: cluster, REDIS_URL: url } = config;
  if (cluster === undefined) return config;
  if (url !== undefined)
    throw new ConfigError('Only one of the settings REDIS_URL and REDIS_CLUSTER may be given.');
  return { ...config, REDIS_URL: toClusterAddress(cluster) as string };
}

function isOrigin(text: string): boolean {
  return text === '*' || text === 'null' || /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#A-Z]+$/.test(text);
}

function isNameServer(text: string): boolean {
  const [, six, four = '', port = '53'] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  return isIP(text) !== 0 || (isIP(six ?? four) === (six === undefined ? 4 : 6) && Number(port) < 65_536);
}

function isNetwork(text: string): boolean {
  const [address = '', bits = '0', ...rest] = text.split('/');
  const family = isIP(address);
  return (
    family !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
  );
}
