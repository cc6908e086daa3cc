import { expect, test } from 'vitest';
import { findUnknownSettings, readConfig, SETTING_NAMES } from '../../src/config.ts';

test.each([
  ['CALL_TIMEOUT_MS', '30s', 30_000],
  ['CALL_TIMEOUT_MS', '1500', 1_500],
  ['CALL_TIMEOUT_MS', '250 ms', 250],
  ['UPDATES_RETENTION_MS', '7d', 604_800_000],
  ['UPDATES_RETENTION_MS', '12H', 43_200_000],
  ['ANSWER_BYTES_IN_FLIGHT_MAX', '64MiB', 67_108_864],
  ['WORKSPACE_BYTES_MAX', '2gib', 2_147_483_648],
  ['CALLS_IN_FLIGHT_MAX', ' 100 ', 100],
] as const)('%s=%s is %i', (name, text, value) => {
  expect(readConfig({ [name]: text })[name]).toBe(value);
});

test.each([
  [
    { CALL_TIMEOUT_MS: '30 seconds' },
    'The setting CALL_TIMEOUT_MS is wrong: write milliseconds from 100 to 600000, or a time such as 1500ms, 30s or 5m.',
  ],
  [{ CALL_TIMEOUT_MS: '50ms' }, 'CALL_TIMEOUT_MS is wrong: write milliseconds from 100'],
  [{ CALL_TIMEOUT_MS: '1e3' }, 'CALL_TIMEOUT_MS is wrong: write milliseconds'],
  [{ CALL_TIMEOUT_MS: '-5' }, 'CALL_TIMEOUT_MS is wrong: write milliseconds'],
  [{ PORT: 'many' }, 'The setting PORT is wrong: write a whole number from 0 to 65535.'],
  [{ KEY_RATE_LIMIT: '100' }, 'KEY_RATE_LIMIT is wrong: write LIMIT/SECONDS, such as 100/60.'],
  [
    { KEY_RATE_LIMIT: '100/604800' },
    'KEY_RATE_LIMIT is wrong: at most 1000000 requests in at most 86400 seconds.',
  ],
  [{ KEY_RATE_LIMIT: '10000000/60' }, 'KEY_RATE_LIMIT is wrong: at most 1000000 requests'],
  [{ PORT: '3k' }, 'PORT is wrong: write a whole number'],
  [{ WORKSPACE_BYTES_MAX: '1GB' }, 'WORKSPACE_BYTES_MAX is wrong: write bytes from 0'],
  [{ LOG_LEVEL: 'loud' }, 'The setting LOG_LEVEL is wrong: must be one of "silent", '],
  [{ SWITCHBOARD_ROOT_KEY: 'short' }, 'SWITCHBOARD_ROOT_KEY is wrong: must have at least 16 characters.'],
  [{ PUBLIC_URL: 'gateway' }, 'The setting PUBLIC_URL is wrong: must be an address'],
  [{ WEBHOOKS_ALLOW_PRIVATE: 'yes' }, 'must be one of "0", "1", "true", "false".'],
])('%j is refused in plain words', (env, sentence) => {
  expect(() => readConfig(env)).toThrow(sentence);
});

test('what the refusal of a wrong setting advises is taken', () => {
  const advised = SETTING_NAMES.flatMap((name) => adviceFor(name).map((value) => ({ [name]: value })));
  expect(advised).toContainEqual({ CALL_TIMEOUT_MS: '5m' });
  expect(advised).toContainEqual({ ANSWER_BYTES_IN_FLIGHT_MAX: '128MiB' });
  expect(advised.filter((env) => refusalOf(env) !== null)).toEqual([]);
});

/** The examples that the refusal of a wrong value shows. */
function adviceFor(name: string): string[] {
  const [, examples] = /such as (\d.*)\.$/.exec(refusalOf({ [name]: '?' }) ?? '') ?? [];
  return examples?.split(/, | or /) ?? [];
}

function refusalOf(env: Record<string, string>): string | null {
  try {
    readConfig(env);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

test('CORS_ORIGINS are origins as browsers send them', () => {
  const origins = [
    'https://app.example',
    'http://127.0.0.1:8080',
    'http://[::1]:3000',
    'chrome-extension://abc',
    '*',
  ];
  expect(readConfig({ CORS_ORIGINS: origins.join(', ') }).CORS_ORIGINS).toEqual(origins);
});

test.each(['https://app.example/', 'https://App.example', 'app.example', 'https://app.example/page'])(
  'no browser sends the origin %s',
  (wrong) => {
    expect(() => readConfig({ CORS_ORIGINS: `https://one.example,${wrong}` })).toThrow(
      'The setting CORS_ORIGINS is wrong: each must be an origin as browsers send it',
    );
  },
);

test('variables that look like settings and are none are named, with what may be meant', () => {
  const env = { SWITCHBOARD_WORKER: '2', SWITCHBOARD_PORT: '3000', SWITCHBOARD_COLOUR: 'red', SHELL: 'sh' };
  expect(findUnknownSettings({ ...env, SWITCHBOARD_WORKERS: '2' })).toEqual([
    'There is no setting SWITCHBOARD_WORKER: did you mean SWITCHBOARD_WORKERS?',
    'There is no setting SWITCHBOARD_PORT: did you mean PORT?',
    'There is no setting SWITCHBOARD_COLOUR: .env.example lists those there are',
  ]);
});
