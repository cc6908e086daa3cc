import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod';
import { ERROR_NAME_MAX, findMessengerError } from '../../tl/errors.ts';
import { findMethod } from '../../tl/methods.ts';
import type { ApiDeps } from '../deps.ts';
import { requireScope } from '../plugins/principal.ts';
import { requireChangeable, requireRecord } from '../plugins/require-record.ts';
import { laneFor, markFaults, removeFaultMark } from '../records/mark-faults.ts';
import { sandboxAccount } from '../records/sandbox-account.ts';
import { orderProblems } from '../records/shapes.ts';

const NOT_SANDBOX = 'Only sandbox accounts can be told to fail.';

const FAULT_KINDS = ['error', 'delayMs', 'disconnect', 'crash'] as const;

// Longer than any method's name.
const METHOD_NAME_MAX = 128;

/** A fault of the next calls of an account: exactly one of an error, a delay, a disconnect and, if it `mayCrash` workers, a crash. */
function faultShape(mayCrash: boolean) {
  return z
    .strictObject({
      method: z
        .string()
        .max(METHOD_NAME_MAX)
        .refine((method) => method === '*' || findMethod(method) !== null, 'There is no such method')
        .describe('A method, or `*` for every one'),
      count: z.int().min(1).max(1_000_000).default(1).describe('For how many calls'),
      error: z
        .string()
        .max(ERROR_NAME_MAX)
        .exactOptional()
        .describe('A messenger error such as `PEER_ID_INVALID`, `FLOOD_WAIT_5` or `INTERNAL`'),
      delayMs: z.int().min(1).max(600_000).exactOptional().describe('How much longer the call takes'),
      disconnect: z
        .literal(true)
        .exactOptional()
        .describe('The call runs, but instead of an answer its connection is closed'),
      crash: z
        .literal(true)
        .refine(() => mayCrash, 'Crashes have to be allowed by the setting SANDBOX_CRASH_FAULTS')
        .exactOptional()
        .describe('The worker ends at once'),
    })
    .refine(
      (fault) => FAULT_KINDS.filter((kind) => kind in fault).length === 1,
      'Give one of error, delayMs, disconnect and crash',
    )
    .refine(({ error, method }) => error === undefined || findMessengerError(error, method) !== null, {
      error:
        'The messenger has no error of this name: `GET /v1/methods/{name}` lists those of a method; a wait has its seconds, as FLOOD_WAIT_5',
      path: ['error'],
    });
}

/** `/v1/messenger-accounts/{id}/sandbox/faults`: faults injected for tests. */
export function addSandboxRoutes(app: FastifyInstance, deps: ApiDeps): void {
  const { directory, accountControl, orders, config } = deps;
  const find = requireRecord(directory, 'messenger-accounts');
  const url = '/v1/messenger-accounts/:id/sandbox/faults';
  const faults = z.strictObject({
    faults: z.array(faultShape(config.SANDBOX_CRASH_FAULTS)).max(100),
  });
  const answer = z.object({
    faults: z.array(z.looseObject({ method: z.string(), count: z.int() })),
  });

  app.get(
    url,
    {
      onRequest: [find, requireScope('accounts:read')],
      schema: {
        tags: ['Sandbox'],
        operationId: 'listFaults',
        summary: 'List the faults of a sandbox account',
        description: 'The faults that are left, each with the number of calls that it is still for.',
        response: { 200: answer, ...orderProblems(403, 404, 409, 429) },
      },
    },
    async (request) => {
      const account = sandboxAccount(request, NOT_SANDBOX);
      return orders.run(request, account, (signal) =>
        accountControl.control(account, 'getFaults', {}, signal),
      );
    },
  );

  app.withTypeProvider<ZodTypeProvider>().put(
    url,
    {
      onRequest: [find, requireScope('accounts:write'), requireChangeable('messenger-accounts')],
      schema: {
        tags: ['Sandbox'],
        operationId: 'replaceFaults',
        summary: 'Replace the faults of a sandbox account',
        description:
          'What happens to its next calls: they fail, take longer, lose their connection or end the worker.',
        body: faults,
        response: { 200: answer, ...orderProblems(400, 403, 404, 409, 413, 415, 429, 507) },
      },
    },
    async (request) => {
      const account = sandboxAccount(request, NOT_SANDBOX);
      const wanted = request.body.faults;
      const lane = laneFor(wanted);
      return orders.run(request, account, async (signal) => {
        // Mark the account first: faults of an unmarked account are not looked for. It stays in the slow lane until its delays are
        // replaced.
        await markFaults(deps, account, { faults: true, lane: account.lane === 'slow' ? 'slow' : lane });
        await accountControl.control(account, 'setFaults', { faults: wanted }, signal);
        if (wanted.length === 0) await removeFaultMark(deps, account, signal);
        else await markFaults(deps, account, { faults: true, lane });
        return { faults: wanted };
      });
    },
  );
}
