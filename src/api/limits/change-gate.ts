import type { FastifyRequest } from 'fastify';
import { ReadGate } from '../../read-gate.ts';
import { callerSignal } from '../server/caller-signal.ts';
import { readerOf } from './reads.ts';

const AT_ONCE = 32;
// An organization leaves half of the room to others.
const PER_ORGANIZATION = 16;
const WAITING_PER_KEY = 100;

/**
 * Lets an API key's changes of a record take turns. Of many at once each would find that another has been faster, and begin anew: a hundred
 * would take thousands of commands. A change whose caller is gone does not begin.
 */
export class ChangeGate {
  // To this gate a change is a read: what it bounds is how much of anything runs and waits.
  private readonly gate = new ReadGate({
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
