import type { FastifyRequest } from 'fastify';
import { Problem } from '../../problem.ts';
import { LARGE_BODY_BYTES, largeBodies, PacedTasks } from '../server/paced-tasks.ts';
import { holderOf } from '../server/read-body.ts';

// How many calls of a large body, or of one that is only validated, are checked in one turn.
const LARGE_PER_TURN = 8;

/** How many calls of all other bulks are checked in one turn of the event loop, or up to twice as many. */
export const SMALL_PER_TURN = 16;

/** Paces the checks of calls in small bulks. A call that is refused takes up to a tenth of a millisecond, and no admission bounds those. */
export const smallBulks = new PacedTasks({ perTurn: SMALL_PER_TURN, rests: false });

/** How many calls a bulk has, and whether they are only validated. */
export interface Bulk {
  count: number;
  onlyValidate: boolean;
}

/** Waits until the call of this place, and some behind it, may be checked; null if it need not wait. Throws if the caller is gone. */
export function turnToCheck(request: FastifyRequest, place: number, bulk: Bulk): Promise<void> | null {
  const { count, onlyValidate } = bulk;
  if (isLarge(request, bulk)) {
    // Nothing refuses validations while there is much to do, so even the first one waits.
    const isPaced = onlyValidate || place > 0;
    return isPaced && place % LARGE_PER_TURN === 0 ? untilTurn(request, largeBodies, 1) : null;
  }
  if (count === 1 || place % SMALL_PER_TURN !== 0) return null;
  return untilTurn(request, smallBulks, Math.min(SMALL_PER_TURN, count - place));
}

/** The turn of a call whose account had to be looked up: all that waited for the same answer of Redis go on in the same turn. */
export function turnAfterLookUp(request: FastifyRequest, bulk: Bulk): Promise<void> | null {
  if (isLarge(request, bulk)) return untilTurn(request, largeBodies, 1);
  return bulk.count === 1 ? null : untilTurn(request, smallBulks, 1);
}

function isLarge({ bodyBytes }: FastifyRequest, { onlyValidate }: Bulk): boolean {
  return onlyValidate || bodyBytes > LARGE_BODY_BYTES;
}

async function untilTurn(request: FastifyRequest, tasks: PacedTasks, weight: number): Promise<void> {
  await tasks.next(holderOf(request), weight);
  if (request.raw.socket.destroyed) throw new Problem('canceled');
}
