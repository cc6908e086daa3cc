import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod';
import { BOUNDS, LOG_LEVELS } from '../../config.ts';
import { changeControl, SETTINGS } from '../../control/change-control.ts';
import { LIVE_SETTINGS, type Settings } from '../../control/settings.ts';
import type { ApiDeps } from '../deps.ts';
import { requireScope } from '../plugins/principal.ts';
import { problems, rateLimit } from '../records/shapes.ts';
import { IDLE_CONNECTIONS_MAX } from '../server/idle-connections.ts';
import { actorOf } from './actor.ts';

const numberSettings = Object.fromEntries(
  Object.entries(LIVE_SETTINGS).flatMap(([name, setting]) => {
    if (!(setting in BOUNDS)) return [];
    const [min, max] = BOUNDS[setting as keyof typeof BOUNDS];
    return [[name, z.int().min(min).max(max)]];
  }),
);

const settingValues = z.object({
  logLevel: z.enum(LOG_LEVELS),
  keyRateLimit: rateLimit.describe('The limit of API keys without a limit of their own'),
  ...numberSettings,
});

const nullable = Object.entries(settingValues.shape).map(
  ([name, shape]) => [name, shape.nullable()] as const,
);

const settingsAnswer = z
  .object({
    ...Object.fromEntries(nullable),
    effective: settingValues.partial().describe('The values in use in the process that answers'),
  })
  .meta({
    id: 'Settings',
    description:
      'Settings of all processes, under the names of their environment variables in camel case; null if each process uses its own value',
  });

// Anyone can keep `IDLE_CONNECTIONS_MAX` connections open without a key. If no more were allowed, the operator could not connect to allow
// more.
const CONNECTIONS_MIN = 2 * IDLE_CONNECTIONS_MAX;

const settingsPatch = z.strictObject({
  ...Object.fromEntries(nullable.map(([name, shape]) => [name, shape.exactOptional()])),
  connectionsMax: z.int().min(CONNECTIONS_MIN).max(BOUNDS.CONNECTIONS_MAX[1]).nullable().exactOptional(),
});

// All settings are one field of the hash, so `max` is never exceeded.
const SETTINGS_FIELD = { key: SETTINGS, field: 'all', max: 1 };

/** `/v1/settings`: log level and limits of all processes. */
export function addSettingsRoutes(app: FastifyInstance, { directory, control }: ApiDeps): void {
  const { redis } = directory;
  const typed = app.withTypeProvider<ZodTypeProvider>();
  const onRequest = requireScope('operate');
  const tags = ['Operation'];
  const url = '/v1/settings';
  const show = async (stored: Settings | null) => {
    await control.refresh();
    const shown = nullable.map(([name]) => [name, stored?.[name as keyof Settings] ?? null]);
    return { ...Object.fromEntries(shown), effective: control.live.values };
  };

  typed.get(
    url,
    {
      onRequest,
      schema: {
        tags,
        operationId: 'readSettings',
        summary: 'Read the settings that are changed at run time',
        description: 'Null stands for the value in the configuration of each process.',
        response: { 200: settingsAnswer, ...problems(403) },
      },
    },
    async () => {
      const text = await redis.hget(SETTINGS_FIELD.key, SETTINGS_FIELD.field);
      return show(text === null ? null : JSON.parse(text));
    },
  );

  typed.patch(
    url,
    {
      onRequest,
      config: { accepts: ['application/merge-patch+json'] },
      schema: {
        tags,
        operationId: 'changeSettings',
        consumes: ['application/json', 'application/merge-patch+json'],
        summary: 'Change settings of all processes',
        description:
          'A merge patch (RFC 7396): members that are left out stay as they are, null makes each process use its own value again. Every process follows within a second.',
        body: settingsPatch,
        response: { 200: settingsAnswer, ...problems(400, 403, 413, 415) },
      },
    },
    async (request) => {
      const changes: Record<string, unknown> = request.body;
      const by = await actorOf(redis, request.principal);
      const stored = await changeControl<Record<string, unknown>>(redis, SETTINGS_FIELD, (before) => {
        const changed = Object.keys(changes).filter(
          (name) => JSON.stringify(changes[name]) !== JSON.stringify(before?.[name] ?? null),
        );
        if (changed.length === 0) return null;
        const changedOf = (from: Record<string, unknown> | null) =>
          Object.fromEntries(changed.map((name) => [name, from?.[name] ?? null]));
        const after = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null);
        const target = { kind: 'settings', id: 'settings' };
        const change = { by, action: 'set', target, from: changedOf(before), to: changedOf(changes) };
        return {
          value: after.length === 0 ? null : Object.fromEntries(after),
          change,
          resumes: false,
        };
      });
      return show(stored as Settings | null);
    },
  );
}
