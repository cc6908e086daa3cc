import { setTimeout as sleep } from 'node:timers/promises';
import type { Disturbance } from '../history.ts';
import type { CrewMember } from '../rig/crew-member.ts';
import type { Link } from '../rig/link.ts';
import type { Crew } from '../rig/open-crew.ts';
import type { PlannedDisturbance } from './plan-chaos.ts';

/** Does what was planned, each thing at its time but what is meant for a process that is down, and tells of each as it ends; resolves when all have ended. */
export async function causeChaos(
  crew: Crew,
  plan: readonly PlannedDisturbance[],
  options: { now: () => number; signal: AbortSignal; onEnd: (disturbance: Disturbance) => void },
): Promise<void> {
  const { now, signal, onEnd } = options;
  const startedAt = now();
  const under: Promise<void>[] = [];
  for (const planned of plan) {
    await sleep(Math.max(0, startedAt + planned.at - now()), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const { kind, target } = planned;
    // On a slow machine it may not have come back as soon as was planned.
    if (crew.members.get(target)?.isReady === false) continue;
    const from = now();
    under.push(disturb(crew, planned).then(() => onEnd({ type: 'chaos', kind, target, from, until: now() })));
  }
  await Promise.all(under);
}

/** Ends what still lasts and waits until every process serves again. */
export async function heal(crew: Crew): Promise<void> {
  crew.redis.signal('SIGCONT');
  for (const link of crew.links.values()) link.heal();
  for (const member of crew.members.values()) {
    member.signal('SIGCONT');
    member.shiftClock(0);
  }
  await Promise.all([...crew.members.values()].map((member) => member.untilReady()));
}

async function disturb(crew: Crew, { kind, target, ms, detail }: PlannedDisturbance): Promise<void> {
  const { redis } = crew;
  const member = crew.members.get(target) as CrewMember;
  const link = crew.links.get(target) as Link;
  switch (kind) {
    case 'kill-api':
    case 'kill-worker':
      member.kill(ms);
      return member.untilReady();
    case 'stop-worker':
      member.kill(ms, 'SIGTERM');
      return member.untilReady();
    case 'pause-api':
    case 'pause-worker':
      member.signal('SIGSTOP');
      await sleep(ms);
      return member.signal('SIGCONT');
    case 'shift-clock':
      member.shiftClock(Number(detail));
      await sleep(ms);
      return member.shiftClock(0);
    case 'cut-network':
      return link.cut();
    case 'forget-network':
      return link.forget();
    case 'swallow-network':
      link.lose('everything');
      await sleep(ms);
      return link.heal();
    case 'lose-answers':
      // Slow first: there is then much under way whose answer can be lost.
      link.slow(Number(detail));
      await sleep(ms);
      link.lose('answers');
      await sleep(2 * Number(detail));
      return link.heal();
    case 'slow-network':
      link.slow(Number(detail));
      await sleep(ms);
      return link.heal();
    case 'kill-redis':
    case 'stop-redis':
      redis.signal(kind === 'kill-redis' ? 'SIGKILL' : 'SIGTERM');
      await sleep(ms);
      return redis.restart();
    case 'pause-redis':
      redis.signal('SIGSTOP');
      await sleep(ms);
      return redis.signal('SIGCONT');
    case 'client-kill':
      return redis.command('CLIENT', 'KILL', 'TYPE', String(detail), 'SKIPME', 'yes');
    case 'client-pause':
      await redis.command('CLIENT', 'PAUSE', String(ms), String(detail));
      await sleep(ms);
      return;
    case 'script-flush':
      return redis.command('SCRIPT', 'FLUSH');
  }
}
