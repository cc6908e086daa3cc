import { count, duration, perSecond } from './format.ts';
import type { Health, ScalingReport } from './types.ts';

/** A sentence about the state of the gateway, with the next step if one is needed. */
export interface Advice {
  level: 'good' | 'warn' | 'bad';
  text: string;
}

const CHECKS: Record<string, string> = {
  redis: 'Redis does not answer this API process: calls fail. Look at Redis and the network.',
  data: 'Redis has lost its data: calls fail. Look at its disk and failover.',
  memory: 'Redis is full: what would store more is refused. Delete data or give Redis more memory.',
  writes:
    'Redis takes no writes: calls fail. Look at its log: its disk may be full, or too few replicas be there.',
  workers: 'No worker is there: calls wait, and then fail. Start a worker.',
};

/** What is known of the gateway. */
export interface Known {
  report: ScalingReport;
  health: Health | null;
  /** The number of pauses. */
  paused: number;
  /** Why the report is old; null if it is not. */
  error: Error | null;
}

// An attempt may take a minute, and its call is counted until it ends.
const ASYNC_LATE_MS = 120_000;
// A receiver that is away for a moment is no news.
const WEBHOOK_LATE_MS = 300_000;

/** What an operator should know now, the most severe first. */
export function adviceFor({ report, health, paused, error }: Known): Advice[] {
  const faults = healthFaults(health);
  // An old report says nothing about now.
  if (error !== null) return faults.length > 0 ? faults : [UNKNOWN];
  const pauses = `${paused === 1 ? '1 thing is' : `${paused} things are`} paused: look at Pauses.`;
  const found = [
    ...faults,
    ...missingWorkers(report),
    ...callFaults(report),
    ...waits(report),
    ...backlogs(report),
    ...(paused > 0 ? [warn(pauses)] : []),
  ];
  if (found.length === 0) return [{ level: 'good', text: 'Healthy: nothing asks for your attention.' }];
  return [...found.filter(({ level }) => level === 'bad'), ...found.filter(({ level }) => level === 'warn')];
}

const UNKNOWN: Advice = {
  level: 'bad',
  text: 'Nothing is known about now: the figures cannot be read, and those below are old.',
};

function healthFaults(health: Health | null): Advice[] {
  const wrong = Object.entries(health?.checks ?? {}).filter(([, state]) => state !== 'ok');
  // Without Redis nothing is known of the rest.
  const known = wrong.filter(([name]) => name === 'redis' || health?.checks.redis === 'ok');
  return [
    ...known.map(([name, state]): Advice => ({ level: 'bad', text: CHECKS[name] ?? `${name}: ${state}` })),
    ...(health?.status === 'stopping' ? [warn('This API process is stopping.')] : []),
  ];
}

function missingWorkers({ workers }: ScalingReport): Advice[] {
  const silent = `${workers.missing} of the workers fell silent a moment ago: look at their last log lines.`;
  return workers.missing > 0 ? [{ level: 'bad', text: silent }] : [];
}

/**
 * Calls that are turned away in a second. Outcomes lack the calls of a bulk that is refused before its body is read; refusals lack calls that
 * are turned away after admission, such as too many async ones.
 */
export function refusedOf({ outcomes, refusals }: ScalingReport): number {
  const refused = Object.values(refusals).reduce((sum, rate) => sum + rate, 0);
  return Math.max(refused, outcomes.overloaded ?? 0);
}

function callFaults(report: ScalingReport): Advice[] {
  const {
    outcomes,
    heaviestWorkspaces: [heaviest],
  } = report;
  const { failed = 0, timeout = 0 } = outcomes;
  const refused = refusedOf(report);
  const failures = `${perSecond(failed + timeout)} calls fail: the log names each with its problem.`;
  const whose = heaviest === undefined ? '' : `; ${heaviest.workspaceId} asks for most`;
  return [
    ...(failed + timeout >= 0.1 ? [{ level: 'bad' as const, text: failures }] : []),
    ...(refused >= 0.5
      ? [warn(`${perSecond(refused)} calls are turned away (too many, or paused)${whose}.`)]
      : []),
  ];
}

function waits({ workers, desiredWorkers, oldestWaitMs, targetWaitMs }: ScalingReport): Advice[] {
  const more = desiredWorkers - workers.running;
  const start = `Start ${count(more)} more ${more === 1 ? 'worker' : 'workers'}: ${desiredWorkers} are wanted.`;
  const long = `Calls wait up to ${duration(oldestWaitMs)}, longer than the target of ${duration(targetWaitMs)}.`;
  return [...(more > 0 ? [warn(start)] : []), ...(oldestWaitMs > targetWaitMs ? [warn(long)] : [])];
}

function backlogs({ asyncCalls, webhooks }: ScalingReport): Advice[] {
  const { backlog } = asyncCalls;
  const due = `${count(backlog)} async ${backlog === 1 ? 'call is' : 'calls are'} due, the oldest for ${duration(asyncCalls.oldestMs)}`;
  const next =
    'look for pauses; else run more workers (how many are wanted says nothing of these calls), or raise the async concurrency in Settings.';
  const late = `A delivery to a webhook has waited for ${duration(webhooks.oldestMs)}: look at Webhooks for receivers that fail.`;
  return [
    ...(asyncCalls.oldestMs > ASYNC_LATE_MS ? [warn(`${due}: ${next}`)] : []),
    ...(webhooks.oldestMs > WEBHOOK_LATE_MS ? [warn(late)] : []),
  ];
}

function warn(text: string): Advice {
  return { level: 'warn', text };
}
