import type { FastifyRequest } from 'fastify';
import { TaskGate } from '../../task-gate.ts';
import { callerSignal } from '../server/caller-signal.ts';
import { readerOf } from './reads.ts';

const AT_ONCE = 32;
// An organization leaves half of the room to others.
const PER_ORGANIZATION = 16;
const WAITING_PER_KEY = 100;

/**
 * Runs the changes that an API key makes to a record one at a time. Concurrent changes of one record conflict and start again: a hundred
 * would take thousands of commands. A change whose caller is gone does not start.
 */
export class ChangeGate {
  private readonly gate = new TaskGate({
    atOnce: AT_ONCE,
    perTenant: PER_ORGANIZATION,
    perKey: 1,
    waitingPerKey: WAITING_PER_KEY,
    refusal: `${WAITING_PER_KEY} changes of this record by this API key wait here already. Wait for answers before sending more.`,
  });

  /** Changes a record in its turn. Rejects with `rate_limited` if too many changes of it by the same API key wait. */
  run<T>(request: FastifyRequest, record: { id: string }, change: () => Promise<T>): Promise<T> {
    const { tenant, key } = readerOf(request.principal);
    return this.gate.run({ tenant, key: `${record.id} ${key}`, signal: callerSignal(request) }, change);
  }
}
