import { ApiError } from '../../client/errors.ts';
import { Http } from '../../client/http/http.ts';
import { openStream, type Target } from '../../client/http/send.ts';
import { SCOPES, type Scope } from '../../directory/scopes.ts';
import { readFleet } from '../setup/fleet.ts';
import { examineFleet } from './examine-fleet.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const PATIENCE_MS = 10_000;

type Trial = readonly [scope: Scope, method: 'GET' | 'POST', path: string];

/** Checks whether the API accepts the key, which scopes the key has, and, if they allow it, the workers. */
export async function* examineKey(
  url: string,
  key: string | undefined,
  workspace: string | undefined,
): AsyncGenerator<Finding> {
  if (key === undefined) {
    yield fail('No API key is known.', 'Set SWITCHBOARD_KEY, run `switchboard login`, or give --key.');
    return;
  }
  const { target } = new Http({ url, key });
  const may: string[] = [];
  const mayNot: string[] = [];
  const trials = trialsOf(workspace);
  for (const trial of trials) {
    const problem = await tryOut(target, trial);
    const status = problem instanceof ApiError ? problem.status : null;
    if (status === 401) {
      yield fail(
        `The API does not take the key: ${problem?.message}`,
        'Give another one, or create one with `switchboard keys create`.',
      );
      return;
    }
    if (status === 403) mayNot.push(trial[0]);
    else if (problem === null || status === 400) may.push(trial[0]);
    else {
      const mend = status === 404 ? 'Correct --workspace or SWITCHBOARD_WORKSPACE.' : 'Try again later.';
      yield warn(`Whether the key has ${trial[0]} is not known: ${problem.message}`, mend);
    }
  }
  const untried = Object.keys(SCOPES).filter((scope) => !trials.some(([tried]) => tried === scope));
  yield* examineScopes(may, mayNot, untried);
  const fleet = may.includes('operate') ? await readFleet(target).catch(() => null) : null;
  if (fleet !== null) yield* examineFleet(fleet);
}

/** Says nothing if no trial has told anything: the warning of each trial says so already. */
function* examineScopes(may: string[], mayNot: string[], untried: string[]): Generator<Finding> {
  const others = `whether it has others was not tried: ${untried.join(', ')}`;
  const lacking = mayNot.length === 0 ? '' : `, and not ${mayNot.join(', ')}`;
  if (may.length > 0) yield ok(`The key has the scopes ${may.join(', ')}${lacking}; ${others}.`);
  else if (mayNot.length > 0)
    yield warn(
      `The key has none of the scopes ${mayNot.join(', ')}; ${others}.`,
      'Create one that has what you need: `switchboard keys create`.',
    );
}

/** Requests that change nothing, and need a scope each: an empty body is refused, but only after the scope was checked. */
function trialsOf(workspace: string | undefined): Trial[] {
  const updates = `/v1/workspaces/${encodeURIComponent(workspace ?? '')}/updates?offset=now`;
  return [
    ['calls:read', 'GET', '/v1/calls?limit=1'],
    ['calls:write', 'POST', '/v1/calls/replay'],
    ...(workspace === undefined ? [] : [['updates:read', 'GET', updates] as const]),
    ['organizations:read', 'GET', '/v1/organizations?limit=1'],
    ['workspaces:read', 'GET', '/v1/workspaces?limit=1'],
    ['workspaces:write', 'POST', '/v1/workspaces'],
    ['accounts:read', 'GET', '/v1/messenger-accounts?limit=1'],
    ['accounts:write', 'POST', '/v1/messenger-accounts'],
    ['keys:read', 'GET', '/v1/api-keys?limit=1'],
    ['keys:write', 'POST', '/v1/api-keys'],
    ['webhooks:read', 'GET', '/v1/webhooks?limit=1'],
    ['webhooks:write', 'POST', '/v1/webhooks'],
    ['metrics:read', 'GET', '/metrics'],
    ['operate', 'GET', '/v1/scaling'],
  ];
}

async function tryOut(target: Target, [, method, path]: Trial): Promise<Error | null> {
  const body = method === 'POST' ? {} : undefined;
  try {
    const answer = await openStream(target, { method, path, body }, AbortSignal.timeout(PATIENCE_MS));
    await answer.body?.cancel();
    return null;
  } catch (error) {
    return error as Error;
  }
}
