import { VERSION } from '../../version.ts';
import type { Settings } from '../setup/settings.ts';
import { examineKey } from './examine-key.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const PATIENCE_MS = 10_000;
// The header Date has whole seconds, and the answer takes a while.
const CLOCKS_APART_MS = 5_000;

const MENDS: Readonly<Record<string, string>> = {
  redis: 'Look at the checks of Redis: start it, or correct REDIS_URL.',
  data: 'Restore a backup of Redis and restart the API processes and workers; docs/deploy has the steps.',
  memory: 'Give Redis more maxmemory, or delete what is not needed: reading and deleting still work.',
  writes:
    'Look at the log of Redis: its disk may be full, or too few replicas connected (min-replicas-to-write).',
  workers: 'Start one with `npm run worker` and the same REDIS_URL.',
};

interface Readiness {
  status: string;
  checks: Record<string, string>;
  version?: string;
}

/** Checks an API from outside: whether it answers, its readiness checks, its version and clock, and what the key may do. */
export async function* examineApi({ url, key, workspace }: Settings): AsyncGenerator<Finding> {
  if (url === undefined) {
    yield fail(
      'No address of an API is known.',
      'Give --url or SWITCHBOARD_URL, run `switchboard login`, or start one with `npm start`. If one runs with a SWITCHBOARD_DATA_DIR, set that here too.',
    );
    return;
  }
  const startedAt = Date.now();
  const response = await fetch(`${url.replace(/\/+$/, '')}/readyz`, {
    // The client follows no redirects: here one is a finding.
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((error: Error) => error);
  const tookMs = Date.now() - startedAt;
  if (response instanceof Error) {
    const why =
      response.cause instanceof Error
        ? response.cause.message || String((response.cause as NodeJS.ErrnoException).code)
        : response.message;
    yield fail(
      `The API at ${url} does not answer: ${why}.`,
      'Start it with `npm start`, or give its address with --url.',
    );
    return;
  }
  const readiness = (await response.json().catch(() => null)) as Readiness | null;
  if (readiness?.checks === undefined) {
    const location = response.headers.get('location');
    const to = location === null ? '' : `, a redirect to ${location}`;
    yield fail(
      `What answers at ${url} is not a Switchboard: ${response.status} to /readyz${to}.`,
      'Correct the address, or the proxy in front of it.',
    );
    return;
  }
  yield ok(`The API at ${url} answers, in ${tookMs} ms.`);
  for (const [name, state] of Object.entries(readiness.checks)) yield examineCheck(name, state);
  yield examineVersion(readiness.version);
  yield examineClock(response.headers.get('date'), startedAt + tookMs / 2);
  yield* examineKey(url, key, workspace);
}

function examineCheck(name: string, state: string): Finding {
  if (state === 'ok') return ok(`The API reports ${name}: ok.`);
  const mend = MENDS[name] ?? 'See the log of the API.';
  return state === 'unknown'
    ? warn(`The API does not know the state of ${name} now.`, mend)
    : fail(`The API reports ${name}: ${state}.`, mend);
}

function examineVersion(version: string | undefined): Finding {
  if (version === VERSION) return ok(`The API and this program have version ${VERSION}.`);
  return warn(
    `The API has version ${version ?? 'unknown'}, this program ${VERSION}.`,
    'Install the version of the API, so that both have the same methods and options.',
  );
}

function examineClock(header: string | null, at: number): Finding {
  const apartMs = header === null ? Number.NaN : Date.parse(header) - at;
  if (Number.isNaN(apartMs))
    return warn(
      'The API does not say what time it is.',
      'Let the proxy in front of it pass the header Date.',
    );
  const seconds = Math.round(Math.abs(apartMs) / 1_000);
  if (Math.abs(apartMs) < CLOCKS_APART_MS) return ok('The clocks of the API and of this machine agree.');
  return warn(
    `The clock of the API is ${seconds} s ${apartMs > 0 ? 'ahead of' : 'behind'} this machine's.`,
    'Set both by NTP: schedules, expiries and signatures of webhooks compare times.',
  );
}
