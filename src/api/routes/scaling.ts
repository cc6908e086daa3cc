import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod';
import type { ApiDeps } from '../deps.ts';
import { requireScope } from '../plugins/principal.ts';
import { problems } from '../records/shapes.ts';

const count = z.int().min(0);
const time = z.iso.datetime();

const rates = z.record(z.string(), z.number());
const latency = z.number().nullable().describe('Null without calls');

const lane = z.object({
  lane: z.enum(['shared', 'slow', 'lone', 'async']),
  waiting: count.describe(
    'Jobs in its queues; of the shared lane also the calls that wait in API processes; of the async lane at most 16 for each workspace, see `asyncCalls`',
  ),
  oldestWaitMs: z
    .number()
    .min(0)
    .describe(
      'Of the shared lane also of the calls that wait in API processes, and in workers for their turn',
    ),
});

/** A worker's published figures. */
export const worker = z.object({
  id: z.string(),
  version: z.string(),
  host: z.string(),
  pid: z.int(),
  state: z
    .enum(['running', 'draining', 'missing'])
    .describe(
      '`draining` takes no more calls; `missing` has said nothing for three seconds, and is left out after ten',
    ),
  busyShare: z.number().describe('The share of time in which its thread was at work over some seconds'),
  callsPerSecond: z.number(),
  running: count.describe('Calls that it runs, but for those of the slow lane'),
  slowRunning: count.describe('Calls of the slow lane that it runs'),
  startedAt: time,
  lastHeardAt: time,
});

const workspace = z.object({
  workspaceId: z.string(),
  callsPerSecond: z.number().describe('Calls that come, refused ones included'),
  refusedPerSecond: z.number(),
  costPerSecond: z
    .number()
    .describe('What its answered calls cost, in usual calls: a long answer counts as several'),
  waiting: count.describe('Its calls that wait for their turn in API processes'),
  share: z.number().describe('Of all calls that come'),
});

const scaling = z
  .object({
    at: time,
    targetWaitMs: z.int().describe('The setting `SCALING_TARGET_WAIT_MS`'),
    desiredWorkers: z
      .int()
      .min(1)
      .describe(
        'How many workers keep the oldest wait below the target; it rises at once and falls after a minute',
      ),
    workers: z.object({
      running: count,
      draining: count,
      missing: count,
      byVersion: z.record(z.string(), count),
    }),
    busyShare: z.number().describe('Of all workers together'),
    arrivalRate: z.number().describe('Calls that come in a second, refused ones included'),
    serviceRate: z.number().describe('Calls that are answered in a second'),
    outcomes: rates.describe(
      'Calls that end in a second, by how: `ok`, `refused` (the caller’s own mistakes, and what the messenger refuses), `overloaded` (turned away: too many, paused, or the process stops), `timeout`, `failed`',
    ),
    refusals: rates.describe('Calls that are refused as too many in a second, by what there is too much of'),
    latency: z
      .object({ p50Ms: latency, p99Ms: latency })
      .describe('How long calls took lately, from acceptance to answer, an eighth more or less'),
    oldestWaitMs: z.number().describe('Of the lanes for calls that someone waits for'),
    lanes: z.array(lane),
    asyncCalls: z
      .object({ backlog: count, oldestMs: z.number().min(0) })
      .describe(
        'Async calls of all workspaces that are due and have not ended, and for how long the oldest has been due; as last counted',
      ),
    webhooks: z
      .object({
        waiting: count,
        oldestMs: z.number().min(0),
        enabled: count,
        disabled: count,
        furthestBehind: z
          .array(
            z.object({
              id: z.string(),
              workspaceId: z.string(),
              waiting: count,
              oldestMs: z.number().min(0),
            }),
          )
          .describe('The ten enabled ones whose oldest delivery has waited for longest'),
      })
      .describe(
        'Deliveries that are queued for all webhooks, for how long the oldest of an enabled one has been, and the webhooks; as last counted',
      ),
    heaviestWorkspaces: z
      .array(workspace)
      .describe('The ten that ask for most: with the most calls, or the calls that cost most'),
    workerList: z.array(worker).describe('At most 1,000 of them'),
  })
  .meta({
    id: 'Scaling',
    description: 'How much comes, how much gets done, and how many workers that takes',
  });

/** `GET /v1/scaling`: the figures for an autoscaler. It covers all tenants, so only the root key grants its scope. */
export function addScalingRoute(app: FastifyInstance, deps: ApiDeps): void {
  const schema = {
    tags: ['Operation'],
    operationId: 'readScaling',
    summary: 'Read how many workers to run',
    description:
      'Load, waits and workers of the whole gateway, and `desiredWorkers`, looked up at most once a second. docs/scaling.md has the formula.',
    response: { 200: scaling.describe('How it stands'), ...problems(403) },
  };
  app
    .withTypeProvider<ZodTypeProvider>()
    .get('/v1/scaling', { onRequest: requireScope('operate'), schema }, () => deps.scaling.report());
}
