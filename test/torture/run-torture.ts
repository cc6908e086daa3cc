import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import { causeChaos, heal } from './chaos/cause-chaos.ts';
import { type PlannedDisturbance, planChaos, planChurn } from './chaos/plan-chaos.ts';
import { checkHistory } from './check/check-history.ts';
import type { Violation } from './check/violation.ts';
import type { Attempt, Entry } from './history.ts';
import { Callers } from './load/callers.ts';
import { CallChooser } from './load/choose-calls.ts';
import { Follower } from './load/follower.ts';
import { HttpClient } from './load/http-client.ts';
import { listAsyncCalls, readAsyncCalls, untilAllEnded } from './load/read-calls.ts';
import { readBox, readStream } from './load/read-truth.ts';
import { type Scene, seedScenes } from './load/seed-scenes.ts';
import type { TortureOptions } from './options.ts';
import { Progress } from './progress.ts';
import { type Crew, openCrew } from './rig/open-crew.ts';

const CREW = { apis: 2, workers: 3 };
const CHURN_CREW = { apis: 2, workers: 3 };
const SCENES = { workspaces: 2, accounts: 4 };
const PROGRESS_MS = 3_000;
// Workers come and go in a service that has run for a while: the first calls of a process cost many times what later ones do.
const CHURN_WARM_UP_MS = 30_000;
const RECOVER_MS = 60_000;
const FINISH_MS = 180_000;
const FOLLOW_MS = 60_000;
const ENDS_MS = 150_000;

export interface RunOptions extends Pick<TortureOptions, 'seed' | 'minutes' | 'rate' | 'kinds' | 'defect'> {
  churn?: boolean;
  /** What is done instead of what follows from the seed. */
  plan?: PlannedDisturbance[];
  /** How long the ends of async calls are waited for, once all is well again. */
  endsMs?: number;
}

/** What came of a run. */
export interface Outcome {
  violations: Violation[];
  history: Entry[];
  plan: PlannedDisturbance[];
  progress: Progress;
  /** Calls that were due while too many were under way. */
  heldBack: number;
  /** For how long calls were made, in seconds. */
  seconds: number;
  /** Connections of the followers. */
  connections: number;
}

/** Who hears of a run: `say` of how it goes, `tell` of the plan and of every disturbance; it ends early when `signal` aborts. */
export interface Listener {
  say: (text: string) => void;
  tell?: (text: string) => void;
  signal: AbortSignal;
}

/**
 * One run: the service is started, called and disturbed, left to recover, read out, and its history checked. When it is
 * ended early everything is taken down and it rejects.
 */
export async function runTorture(
  options: RunOptions,
  { say, signal, tell = () => undefined }: Listener,
): Promise<Outcome> {
  const startedAt = performance.now();
  const now = () => Math.round((performance.now() - startedAt) * 10) / 10;
  const history: Entry[] = [];
  const counts = options.churn ? CHURN_CREW : CREW;
  say(`starting Redis, ${counts.apis} API processes and ${counts.workers} workers`);
  const crew = await openCrew({
    ...counts,
    defect: options.defect,
    churn: options.churn === true,
    onIncident: (incident) => history.push({ type: 'incident', at: now(), ...incident }),
  });
  const clients = crew.urls.map((url) => new HttpClient(url, crew.rootKey));
  const followers: Follower[] = [];
  try {
    const scenes = await seedScenes(clients, SCENES);
    history.push(...scenes.flatMap(({ accounts }) => accounts));
    const chooser = new CallChooser(options.seed, scenes);
    for (const { workspace } of scenes) {
      const onUpdate = (update: unknown) => noteVoice(chooser, workspace, update);
      const { urls, rootKey: key } = crew;
      followers.push(new Follower({ urls, key, workspace, seed: options.seed + followers.length, onUpdate }));
    }
    const progress = new Progress();
    const callers = new Callers({
      clients,
      chooser,
      now,
      onAttempt: (attempt) => {
        history.push(attempt);
        progress.noteAttempt(attempt);
      },
      onCancellation: (cancellation) => history.push(cancellation),
    });
    const durationMs = options.minutes * 60_000;
    const planned = options.churn
      ? planChurn(options.seed, durationMs, counts)
      : planChaos(options.seed, durationMs, counts, options.kinds);
    const plan = options.plan ?? planned;
    for (const one of plan) tell(`planned: ${Object.values(one).join(' ')}`);
    const chaosEnd = new AbortController();
    const aborted = new Promise<never>((_, reject) => {
      const stop = () => {
        callers.stop();
        chaosEnd.abort();
        reject(new Error('The run was stopped.'));
      };
      // It may have been asked for while the service was started and seeded.
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop);
    });
    const updates = () => followers.reduce((sum, { seen }) => sum + seen.length, 0);
    const timer = setInterval(() => {
      const { inFlight, heldBack } = callers;
      say(progress.line(now() / 1_000, { inFlight, heldBack, updates: updates() }));
    }, PROGRESS_MS);
    let seconds = 0;
    const work = async () => {
      const beganAt = performance.now();
      if (options.churn) await callers.offer(options.rate, CHURN_WARM_UP_MS);
      const chaos = causeChaos(crew, plan, {
        now,
        signal: chaosEnd.signal,
        onEnd: (disturbance) => {
          history.push(disturbance);
          progress.noteChaos(disturbance.kind);
          const { kind, target, from, until } = disturbance;
          tell(`${from.toFixed(0)}–${until.toFixed(0)} ms: ${kind} ${target}`);
        },
      });
      await callers.offer(options.rate, durationMs);
      seconds = (performance.now() - beganAt) / 1_000;
      await chaos;
      const complain = (what: string) => history.push({ type: 'incident', process: 'all', at: now(), what });
      const complaint = (await recover(crew)) ?? (await finish(callers));
      if (complaint !== null) complain(complaint);
      await readOut({
        clients,
        scenes,
        followers,
        history,
        now,
        say,
        endsMs: options.endsMs ?? ENDS_MS,
      }).catch((error) => complain(String(error)));
    };
    try {
      await Promise.race([work(), aborted]);
    } finally {
      clearInterval(timer);
      chaosEnd.abort();
      callers.stop();
    }
    say('stopping the processes');
    await Promise.all(followers.map((follower) => follower.stop()));
    await crew.stop();
    say('checking the history');
    return {
      violations: checkHistory(history),
      history,
      plan,
      progress,
      heldBack: callers.heldBack,
      seconds,
      connections: followers.reduce((sum, { connections }) => sum + connections, 0),
    };
  } finally {
    for (const client of clients) client.close();
    await Promise.all(followers.map((follower) => follower.stop()));
    await crew.stop();
  }
}

// Null, or what did not come back.
async function recover(crew: Crew): Promise<string | null> {
  const late = sleep(RECOVER_MS, 'late', { ref: false });
  if ((await Promise.race([heal(crew), late])) !== 'late') return null;
  const down = [...crew.members.values()].filter(({ isReady }) => !isReady).map(({ name }) => name);
  return `${down.join(', ')} did not serve again within a minute of peace`;
}

async function finish(callers: Callers): Promise<string | null> {
  const unfinished = await callers.finish(FINISH_MS);
  return unfinished > 0 ? `${unfinished} calls were not answered for good within minutes of peace` : null;
}

async function readOut({
  clients,
  scenes,
  followers,
  history,
  now,
  say,
  endsMs,
}: {
  clients: HttpClient[];
  scenes: Scene[];
  followers: Follower[];
  history: Entry[];
  now: () => number;
  say: (text: string) => void;
  endsMs: number;
}): Promise<void> {
  say('waiting for the ends of async calls');
  for (const { workspace } of scenes) {
    // Those that have not ended are named by the checker.
    await untilAllEnded(clients, workspace, endsMs);
    for (const call of await listAsyncCalls(clients, workspace, now)) history.push(call);
  }
  for (const call of await readAsyncCalls(clients, takenIn(history), now)) history.push(call);
  say('reading the streams and the message boxes');
  for (const { workspace, accounts } of scenes) {
    const stream = await readStream(clients, workspace);
    const follower = followers.find((one) => one.workspace === workspace) as Follower;
    const last = stream.at(-1)?.offset ?? '';
    // One that never gets there lacks updates, which the checker says better.
    await eventually(() => (follower.seen.at(-1)?.offset ?? '') >= last, { timeoutMs: FOLLOW_MS }).catch(
      () => undefined,
    );
    for (const entry of stream) history.push(entry);
    for (const entry of follower.seen) history.push(entry);
    for (const own of accounts) {
      const others = accounts.filter((one) => one !== own);
      for (const entry of await readBox(clients, own, others)) history.push(entry);
    }
  }
}

function takenIn(history: readonly Entry[]): { workspace: string; callId: string }[] {
  const calls = new Map<string, { workspace: string; callId: string }>();
  const attempts = history.filter((entry): entry is Attempt => entry.type === 'attempt');
  for (const { workspace, callId } of attempts) if (callId !== null) calls.set(callId, { workspace, callId });
  return [...calls.values()];
}

// biome-ignore lint/suspicious/noExplicitAny: updates are of any shape
function noteVoice(chooser: CallChooser, workspace: string, { kind, messengerAccountId, update }: any): void {
  const { message } = update;
  if (kind !== 'RawUpdateNewMessage' || !message?.mediaUnread || message.out) return;
  chooser.noteVoice(workspace, messengerAccountId, message.peerId.userId, message.id);
}
