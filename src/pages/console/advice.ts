import { count, duration, perSecond } from './format.ts';
import type { Live } from './live.ts';
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

/** What an operator should know now, the most severe first. */
export function adviceFor({ report, health, paused, error }: Live): Advice[] {
  const faults = healthFaults(health);
  // An old report says nothing about now.
  if (error !== null) return faults.length > 0 ? faults : [UNKNOWN];
  const pauses = `${paused === 1 ? '1 thing is' : `${paused} things are`} paused: look at Pauses.`;
  const found = [
    ...faults,
    ...missingWorkers(report),
    ...callFaults(report),
    ...waits(report),
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

function callFaults({ outcomes, heaviestWorkspaces: [heaviest] }: ScalingReport): Advice[] {
  const { failed = 0, timeout = 0, overloaded = 0 } = outcomes;
  const failures = `${perSecond(failed + timeout)} calls fail: the log names each with its problem.`;
  const whose = heaviest === undefined ? '' : `; ${heaviest.workspaceId} asks for most`;
  return [
    ...(failed + timeout >= 0.1 ? [{ level: 'bad' as const, text: failures }] : []),
    ...(overloaded >= 0.5 ? [warn(`${perSecond(overloaded)} calls are refused as too many${whose}.`)] : []),
  ];
}

function waits({ workers, desiredWorkers, oldestWaitMs, targetWaitMs }: ScalingReport): Advice[] {
  const more = desiredWorkers - workers.running;
  const start = `Start ${count(more)} more ${more === 1 ? 'worker' : 'workers'}: ${desiredWorkers} are wanted.`;
  const long = `Calls wait up to ${duration(oldestWaitMs)}, longer than the target of ${duration(targetWaitMs)}.`;
  return [...(more > 0 ? [warn(start)] : []), ...(oldestWaitMs > targetWaitMs ? [warn(long)] : [])];
}

function warn(text: string): Advice {
  return { level: 'warn', text };
}
