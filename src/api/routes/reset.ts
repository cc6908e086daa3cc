import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { MessengerAccount } from '../../directory/collections.ts';
import { Problem } from '../../problem.ts';
import type { ApiDeps } from '../deps.ts';
import { OneAtATime } from '../limits/one-at-a-time.ts';
import { requireScope } from '../plugins/principal.ts';
import { requireChangeable, requireRecord } from '../plugins/require-record.ts';
import { removeFaultMark } from '../records/mark-faults.ts';
import { sandboxAccount } from '../records/sandbox-account.ts';
import { orderProblems } from '../records/shapes.ts';
import { refuseBody } from '../server/refuse-body.ts';

// Each part removes dozens of conversations; an account with more than all parts cover needs several requests.
const PARTS_MAX = 500;

/** `/v1/messenger-accounts/{id}/sandbox/reset`: restores an account to its state when it was new. */
export function addResetRoute(app: FastifyInstance, deps: ApiDeps): void {
  const { directory, accountControl, orders } = deps;
  const find = requireRecord(directory, 'messenger-accounts');
  const resets = new OneAtATime();
  const reset = async (account: MessengerAccount, request: FastifyRequest): Promise<boolean> => {
    for (let part = 0; part < PARTS_MAX; part += 1) {
      const resetPart = (signal: AbortSignal) => accountControl.control(account, 'resetAccount', {}, signal);
      // Orders of other accounts run between two parts.
      const isNextPart = part > 0;
      const { done } = (await orders.run(request, account, resetPart, { isNextPart })) as {
        done: boolean;
      };
      if (!done) continue;
      await orders.run(request, account, (signal) => removeFaultMark(deps, account, signal), {
        isNextPart: true,
      });
      return true;
    }
    return false;
  };
  app.post(
    '/v1/messenger-accounts/:id/sandbox/reset',
    {
      onRequest: [find, requireScope('accounts:write'), requireChangeable('messenger-accounts')],
      schema: {
        tags: ['Sandbox'],
        operationId: 'resetAccount',
        summary: 'Reset a sandbox account',
        description:
          'It is as it was seeded, and stays the same user. 503 with `Retry-After` means that there is more to forget.',
        response: {
          204: z.null().describe('It is as new'),
          ...orderProblems(400, 403, 404, 409, 413, 415, 429, 507),
        },
      },
    },
    async (request, reply) => {
      refuseBody(request);
      const account = sandboxAccount(request, 'Only sandbox accounts can be reset.');
      const isDone = await resets.run(account.id, () => reset(account, request));
      if (isDone) return reply.code(204).send();
      throw new Problem('overloaded', {
        detail: 'There is more to forget; send the request again.',
        headers: { 'retry-after': '1' },
      });
    },
  );
}
