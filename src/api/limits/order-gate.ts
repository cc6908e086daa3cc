import type { FastifyRequest } from 'fastify';
import type { MessengerAccount } from '../../directory/collections.ts';
import type { Admission } from '../../queue/submit/admission.ts';
import { ReadGate } from '../../read-gate.ts';
import { callerSignal } from '../server/caller-signal.ts';

const AT_ONCE = 32;
const PER_ORGANIZATION = 16;
const PER_WORKSPACE = 8;
const WAITING_PER_ORGANIZATION = 400;
const WAITING_PER_WORKSPACE = 200;

/**
 * Bounds how many orders to drivers, such as `connectAccount`, run at once, with the work around them: per workspace, per organization and
 * in all. Others wait, and organizations take turns. An order whose caller is gone does not start.
 */
export class OrderGate {
  private readonly admission: Pick<Admission, 'check'>;
  private readonly gate = new ReadGate({
    atOnce: AT_ONCE,
    perKey: PER_WORKSPACE,
    perTenant: PER_ORGANIZATION,
    waitingPerKey: WAITING_PER_WORKSPACE,
    waitingPerTenant: WAITING_PER_ORGANIZATION,
    refusal: 'Too many requests of the workspace or its organization wait for their accounts to be changed.',
  });

  constructor(admission: Pick<Admission, 'check'>) {
    this.admission = admission;
  }

  /**
   * Waits for the tenant's turn, and runs work that includes an order for an account. Rejects with `rate_limited` if too many wait, and
   * with admission's problem while calls are refused. `isNextPart`: work that has begun is not refused when too many wait.
   */
  run<T>(
    request: FastifyRequest,
    { organizationId, workspaceId }: Pick<MessengerAccount, 'organizationId' | 'workspaceId'>,
    act: (signal: AbortSignal) => Promise<T>,
    { isNextPart = false } = {},
  ): Promise<T> {
    const problem = this.admission.check({ organizationId, workspaceId });
    if (problem !== null) return Promise.reject(problem);
    const signal = callerSignal(request);
    const reader = { tenant: organizationId, key: workspaceId, signal };
    return this.gate.run(reader, () => act(signal), { isExempt: isNextPart });
  }
}
