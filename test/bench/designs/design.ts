/** One way to get a call from the API process to its method and back. */
export interface Design {
  name: DesignName;
  /** What it is called in tables. */
  label: string;
  /** Compiled main files, from the project's root; a design without a worker runs methods in its API process. */
  api: string;
  worker: string | null;
}

export type DesignName = 'service' | 'usual' | 'noQueue' | 'groupmq';

const COMPILED = 'dist/bench/test/bench/designs';

/**
 * The designs that are compared, in the order in which they take turns. They share the HTTP app, the look-ups, validation,
 * the methods, the commit and the Redis server; only what lies between app and method differs.
 */
export const DESIGNS: readonly Design[] = [
  {
    name: 'service',
    label: 'Switchboard',
    api: 'dist/src/api/main.js',
    worker: 'dist/workers/main.js',
  },
  {
    name: 'usual',
    label: 'usual design',
    api: `${COMPILED}/usual-api.js`,
    worker: `${COMPILED}/usual-worker.js`,
  },
  {
    name: 'noQueue',
    label: 'no queue',
    api: `${COMPILED}/no-queue-api.js`,
    worker: null,
  },
  {
    name: 'groupmq',
    label: 'groupmq',
    api: `${COMPILED}/groupmq-api.js`,
    worker: `${COMPILED}/groupmq-worker.js`,
  },
];

/** Other libraries in the place of BullMQ: measured only on request. */
export const PEERS: readonly DesignName[] = ['groupmq'];
