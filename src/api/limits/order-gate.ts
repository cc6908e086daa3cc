import type { FastifyRequest } from 'fastify';
import type { MessengerAccount } from '../../directory/collections.ts';
import { Problem } from '../../problem.ts';
import type { Admission } from '../../queue/submit/admission.ts';
import { ReadGate } from '../../read-gate.ts';
import { ByteShares, type HeldBytes } from '../server/byte-shares.ts';
import { callerSignal } from '../server/caller-signal.ts';

const AT_ONCE = 32;
const PER_ORGANIZATION = 16;
const PER_WORKSPACE = 8;
const WAITING_PER_ORGANIZATION = 400;
const WAITING_PER_WORKSPACE = 200;

// The most bytes of bodies that wait with their orders. Smaller bodies are not counted.
const BODY_BYTES_MAX = 32 * 1024 * 1024;
const SMALL_BYTES = 4 * 1024;

/** The counted body of a request. */
interface Holding {
  readonly bytes: HeldBytes;
  /** How many parts of the request's work go on. */
  parts: number;
}

type Tenant = Pick<MessengerAccount, 'organizationId' | 'workspaceId'>;

/**
 * Bounds how many orders to drivers, such as `connectAccount`, run at once, with the work around them: per workspace, per organization and
 * in all. Others wait, and organizations take turns. An order whose caller is gone does not start. The bodies of waiting requests are
 * bounded too.
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

  private readonly bodies = new ByteShares(BODY_BYTES_MAX);
  private readonly holdings = new WeakMap<FastifyRequest, Holding>();

  constructor(admission: Pick<Admission, 'check'>) {
    this.admission = admission;
  }

  /**
   * Waits for the tenant's turn, and runs work that includes an order for an account. Rejects with `rate_limited` if too many wait, and
   * with admission's problem while calls are refused. `isNextPart`: the work goes on with what has begun, so it is never too many.
   */
  run<T>(
    request: FastifyRequest,
    { organizationId, workspaceId }: Tenant,
    act: (signal: AbortSignal) => Promise<T>,
    { isNextPart = false } = {},
  ): Promise<T> {
    const problem = this.admission.check({ organizationId, workspaceId });
    if (problem !== null) return Promise.reject(problem);
    const signal = callerSignal(request);
    const reader = { tenant: organizationId, key: workspaceId, signal };
    const inTurn = () => this.gate.run(reader, () => act(signal), { isExempt: isNextPart });
    return isNextPart ? inTurn() : this.hold(request, organizationId, inTurn);
  }

  /**
   * Counts the body of a request while `act` goes on, in the share of the organization. Rejects with `overloaded` if there is no room. The
   * body of a request with several orders counts once, until the last of them is done.
   */
  async hold<T>(request: FastifyRequest, organizationId: string, act: () => Promise<T>): Promise<T> {
    if (request.bodyBytes <= SMALL_BYTES) return act();
    const holding = this.holdings.get(request) ?? this.beginHolding(request, organizationId);
    holding.parts += 1;
    try {
      return await act();
    } finally {
      holding.parts -= 1;
      if (holding.parts === 0) {
        this.holdings.delete(request);
        holding.bytes.release();
      }
    }
  }

  private beginHolding(request: FastifyRequest, organizationId: string): Holding {
    const { bodyBytes } = request;
    if (!this.bodies.hasRoom(organizationId, bodyBytes)) throw tooMuch();
    const bytes = this.bodies.join(organizationId);
    bytes.add(bodyBytes);
    const holding = { bytes, parts: 0 };
    this.holdings.set(request, holding);
    return holding;
  }
}

function tooMuch(): Problem {
  return new Problem('overloaded', {
    detail:
      'Too many bytes wait for accounts to be changed. Send fewer such requests at once, or retry later.',
    headers: { 'retry-after': '1' },
  });
}
