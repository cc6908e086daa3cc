import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Problem } from '../../problem.ts';
import type { MessengerAccount } from '../../store/collections.ts';
import { patchRecord } from '../../store/records.ts';
import { findMessengerError } from '../../tl/errors.ts';
import { findMethod } from '../../tl/methods.ts';
import type { ApiDeps } from '../deps.ts';
import { requireScope } from '../plugins/principal.ts';
import { requireRecord } from '../plugins/require-record.ts';
import { problems } from '../shapes.ts';

const FAULTS_MAX = 100;
const COUNT_MAX = 1_000_000;
const DELAY_MAX_MS = 60_000;

const next = {
  method: z
    .string()
    .refine((name) => name === '*' || findMethod(name) !== null, 'There is no such method')
    .describe('A method, or `*` for any'),
  count: z.int().min(1).max(COUNT_MAX).describe('For how many calls'),
};

const fault = z
  .union([
    z.strictObject({
      ...next,
      error: z
        .string()
        .refine((name) => findMessengerError(name) !== null, 'The messenger has no such error')
        .describe('An error of the messenger, such as `FLOOD_WAIT_5`'),
    }),
    z.strictObject({ ...next, delayMs: z.int().min(1).max(DELAY_MAX_MS) }),
    z.strictObject({
      ...next,
      crash: z.literal(true).describe('Kills the worker; only where that is allowed'),
    }),
  ])
  .meta({ id: 'Fault', description: 'What is to happen to the next calls of a method' });

const faults = z.strictObject({ faults: z.array(fault).max(FAULTS_MAX) }).meta({ id: 'Faults' });

const PATH = '/v1/messenger-accounts/:id/sandbox/faults';

/** What a test wants the sandbox to do to an account. */
export function addSandboxRoutes(app: FastifyInstance, deps: ApiDeps): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();
  const tags = ['Sandbox'];
  const response = { 200: faults, ...problems(400, 403, 404, 409, 413, 415) };
  const visible = requireRecord(deps.directory, 'messenger-accounts');
  typed.put(
    PATH,
    {
      onRequest: [visible, requireScope('accounts:write')],
      schema: { tags, summary: 'Replace the faults of an account', body: faults, response },
    },
    async (request) => {
      const account = sandboxAccount(request.record as MessengerAccount);
      refuseCrashes(request.body.faults, deps);
      return setFaults(deps, account, request.body.faults);
    },
  );
  typed.get(
    PATH,
    {
      onRequest: [visible, requireScope('accounts:read')],
      schema: { tags, summary: 'The faults that have not happened yet', response },
    },
    async (request) => {
      const account = sandboxAccount(request.record as MessengerAccount);
      return (await deps.accountControl.control(account, 'getFaults', {})) as z.output<typeof faults>;
    },
  );
}

/** Calls are told to look for faults before there are any, and told not to only after the last has gone. */
async function setFaults(deps: ApiDeps, account: MessengerAccount, wanted: z.output<typeof fault>[]) {
  const { directory, accountControl } = deps;
  const lane = wanted.some((one) => 'delayMs' in one) ? ('slow' as const) : ('shared' as const);
  const flags = { faults: wanted.length > 0, lane };
  if (flags.faults) await patchRecord(directory.redis, 'messenger-accounts', account.id, flags);
  await accountControl.control(account, 'setFaults', { faults: wanted });
  if (!flags.faults) await patchRecord(directory.redis, 'messenger-accounts', account.id, flags);
  directory.accounts.forget(account.id);
  return { faults: wanted };
}

function sandboxAccount(account: MessengerAccount): MessengerAccount {
  if (account.driver === 'sandbox') return account;
  throw new Problem('conflict', { detail: 'The account is not one of the sandbox.' });
}

function refuseCrashes(wanted: z.output<typeof fault>[], { config }: ApiDeps): void {
  const index = wanted.findIndex((one) => 'crash' in one);
  if (index === -1 || config.SANDBOX_CRASH_FAULTS) return;
  const detail = 'Only allowed where SANDBOX_CRASH_FAULTS is set.';
  throw new Problem('invalid_body', { errors: [{ pointer: `/faults/${index}/crash`, detail }] });
}
