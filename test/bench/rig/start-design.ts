import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../../src/launch/find-free-port.ts';
import { serviceNodeArgs } from '../../support/service/node-args.ts';
import type { Design } from '../designs/design.ts';
import { Child } from './child.ts';

const READY_MS = 30_000;

/** How many processes of a design to start, and how. */
export interface DesignSize {
  apis: number;
  workers: number;
  env?: Record<string, string>;
  /** Options of Node for every process, such as a module to load first. */
  nodeArgs?: string[];
  /** Folder for CPU profiles, written when the processes end. */
  profileTo?: string | undefined;
}

/** A design that runs. */
export interface StartedDesign {
  design: Design;
  ports: number[];
  apis: Child[];
  workers: Child[];
  /** Starts one worker more, which is stopped with the others. */
  addWorker(): Child;
  stop(): Promise<void>;
}

/** Starts the processes of a design; resolves when its API processes answer. */
export async function startDesign(
  design: Design,
  shared: { redisUrl: string; rootKey: string },
  size: DesignSize,
): Promise<StartedDesign> {
  const env = {
    REDIS_URL: shared.redisUrl,
    SWITCHBOARD_ROOT_KEY: shared.rootKey,
    LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
    ...size.env,
  };
  const workers: Child[] = [];
  const addWorker = () => {
    const worker = startPart(`${design.name}-worker-${workers.length}`, design.worker ?? '', env, size);
    workers.push(worker);
    return worker;
  };
  for (let count = design.worker === null ? 0 : size.workers; count > 0; count -= 1) addWorker();
  const ports = await Promise.all(range(size.apis).map(() => findFreePort()));
  const apis = ports.map((port, index) =>
    startPart(`${design.name}-api-${index}`, design.api, { ...env, PORT: String(port) }, size),
  );
  const started = {
    design,
    ports,
    apis,
    workers,
    addWorker,
    async stop() {
      await Promise.all([...apis, ...workers].map((child) => child.stop()));
    },
  };
  try {
    await Promise.all(apis.map((api, index) => api.during(untilAnswering(ports[index] as number, api))));
  } catch (error) {
    await started.stop();
    throw error;
  }
  return started;
}

function startPart(name: string, file: string, env: Record<string, string>, size: DesignSize): Child {
  const profile =
    size.profileTo === undefined
      ? []
      : [
          '--cpu-prof',
          '--cpu-prof-interval=250',
          `--cpu-prof-dir=${size.profileTo}`,
          `--cpu-prof-name=${name}.cpuprofile`,
        ];
  // Every design gets the same.
  const nodeArgs = [...serviceNodeArgs(), ...(size.nodeArgs ?? []), ...profile];
  return new Child({ name, file, env, nodeArgs });
}

async function untilAnswering(port: number, api: Child): Promise<void> {
  const until = performance.now() + READY_MS;
  while (performance.now() < until) {
    const answer = await fetch(`http://127.0.0.1:${port}/livez`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await sleep(50);
  }
  throw new Error(`${api.name} does not answer:\n${api.output}`);
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
