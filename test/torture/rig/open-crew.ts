import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../support/free-port.ts';
import { serviceNodeArgs } from '../../support/service/node-args.ts';
import type { Incident } from '../history.ts';
import { CrewMember } from './crew-member.ts';
import { Link } from './link.ts';
import { TortureRedis } from './torture-redis.ts';

const ROOT_KEY = 'root-key-of-the-torture';

/** How long a call may take; short, so that deadlines are met often. */
export const CALL_TIMEOUT_MS = 8_000;

/** `ADMISSION_MAX_WAIT_MS` while workers come and go: how long calls may wait until others are back. */
const CHURN_WAIT_MS = '4000';

/** How long an attempt at an async call may take, shorter than the longest pauses, and how soon the next one follows. */
const WORKER_ENV = { ASYNC_CALL_RUN_MS: '6000', ASYNC_CALL_RETRY_MS: '300' };

/** The whole service as real processes, each with a network of its own to a Redis of their own, unless `churn`. */
export interface Crew {
  redis: TortureRedis;
  apis: CrewMember[];
  workers: CrewMember[];
  members: Map<string, CrewMember>;
  links: Map<string, Link>;
  /** The addresses of the API processes; they keep them over restarts. */
  urls: string[];
  rootKey: string;
  stop(): Promise<void>;
}

/** Starts Redis, the API processes and the workers; all of them serve when it resolves. */
export async function openCrew(options: {
  apis: number;
  workers: number;
  defect: string | undefined;
  /**
   * Whether workers only come and go. Their networks are then left alone and shared, as one of their own costs as much as a process more.
   */
  churn: boolean;
  onIncident(incident: Pick<Incident, 'process' | 'what'>): void;
}): Promise<Crew> {
  const redis = await TortureRedis.start();
  const members = new Map<string, CrewMember>();
  const links = new Map<string, Link>();
  const urls: string[] = [];

  async function add(name: string, settings: Partial<ConstructorParameters<typeof CrewMember>[0]>) {
    const link = await Link.open(redis.port);
    links.set(name, link);
    const port = options.churn ? redis.port : link.port;
    const member = new CrewMember({
      name,
      file: '',
      nodeArgs: serviceNodeArgs(),
      preloads: [preload('shift-clock')],
      readyLine: '',
      onIncident: (what) => options.onIncident({ process: name, what }),
      ...settings,
      env: { REDIS_URL: `redis://127.0.0.1:${port}`, LOG_LEVEL: 'info', ...settings.env },
    });
    members.set(name, member);
    return member;
  }

  const apis: CrewMember[] = [];
  for (let i = 1; i <= options.apis; i += 1) {
    const port = await findFreePort();
    urls.push(`http://127.0.0.1:${port}`);
    const env = {
      HOST: '127.0.0.1',
      PORT: String(port),
      SWITCHBOARD_ROOT_KEY: ROOT_KEY,
      CALL_TIMEOUT_MS: String(CALL_TIMEOUT_MS),
      ...(options.churn ? { ADMISSION_MAX_WAIT_MS: CHURN_WAIT_MS } : {}),
    };
    apis.push(await add(`api-${i}`, { file: 'dist/src/api/main.js', readyLine: '"api listening"', env }));
  }
  const workers: CrewMember[] = [];
  const preloads = ['shift-clock', ...(options.defect ? [options.defect] : [])].map(preload);
  for (let i = 1; i <= options.workers; i += 1) {
    const settings = {
      file: 'dist/workers/main.js',
      readyLine: '"worker is ready"',
      preloads,
      env: WORKER_ENV,
    };
    workers.push(await add(`worker-${i}`, settings));
  }
  await Promise.all([...members.values()].map((member) => member.start()));

  return {
    ...{ redis, apis, workers, members, links, urls },
    rootKey: ROOT_KEY,
    async stop() {
      for (const link of links.values()) link.heal();
      await Promise.all(apis.map((api) => api.stop()));
      await Promise.all(workers.map((worker) => worker.stop()));
      await Promise.all([...links.values()].map((link) => link.close()));
      await redis.stop();
    },
  };
}

function preload(name: string): string {
  return fileURLToPath(new URL(`../preload/${name}.mjs`, import.meta.url));
}
