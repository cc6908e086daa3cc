import type { FastifyRequest } from 'fastify';
import type { MessengerAccount } from '../../directory/collections.ts';
import { Problem } from '../../problem.ts';
import type { Admission } from '../../queue/submit/admission.ts';
import { TaskGate } from '../../task-gate.ts';
import type { Readmit } from '../plugins/principal.ts';
import { ByteShares, type HeldBytes } from '../server/byte-shares.ts';
import { callerSignal } from '../server/caller-signal.ts';

// An organization leaves half of the room to others, and a workspace half of its organization's.
const AT_ONCE = 32;
const PER_ORGANIZATION = 16;
const PER_WORKSPACE = 8;
const WAITING_PER_ORGANIZATION = 400;
const WAITING_PER_WORKSPACE = 200;

// The most bytes of the bodies of requests whose orders wait or run.
const BODY_BYTES_MAX = 32 * 1024 * 1024;
// Bodies up to this size are not counted: few requests of an organization may wait, so their small bodies take little memory.
const SMALL_BYTES = 4 * 1024;

/** The body of a request that is counted, once for all of the request's tasks. */
interface CountedBody {
  readonly share: HeldBytes;
  /** How many of the request's tasks wait or run. */
  tasks: number;
}

type Tenant = Pick<MessengerAccount, 'organizationId' | 'workspaceId'>;

/**
 * Bounds how many orders to drivers, such as `connectAccount`, run at once, with the work around them: per workspace, per organization and
 * in all. Others wait, and organizations take turns. An order whose caller is gone, or whose API key was deleted while it waited, does not
 * start. The bodies of waiting requests are bounded too.
 */
export class OrderGate {
  private readonly admission: Pick<Admission, 'check'>;
  private readonly readmit: Readmit;
  private readonly gate = new TaskGate({
    atOnce: AT_ONCE,
    perKey: PER_WORKSPACE,
    perTenant: PER_ORGANIZATION,
    waitingPerKey: WAITING_PER_WORKSPACE,
    waitingPerTenant: WAITING_PER_ORGANIZATION,
    refusal: 'Too many requests to change accounts of this workspace or its organization wait already.',
  });

  private readonly bodies = new ByteShares(BODY_BYTES_MAX);
  private readonly countedBodies = new WeakMap<FastifyRequest, CountedBody>();

  constructor(admission: Pick<Admission, 'check'>, readmit: Readmit) {
    this.admission = admission;
    this.readmit = readmit;
  }

  /**
   * Waits for the tenant's turn, and runs work that includes an order for an account. Rejects with `rate_limited` if too many wait,
   * `overloaded` if there is no room for the request's body, `unauthorized` if its API key was deleted meanwhile, and with admission's
   * problem while calls are refused. With `isNextPart`, the work continues what an earlier turn of the request has begun, and may wait even
   * if too many others do.
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
    const owner = { tenant: organizationId, key: workspaceId, signal };
    const since = performance.now();
    const start = async () => {
      await this.readmit(request, since);
      return act(signal);
    };
    const inTurn = () => this.gate.run(owner, start, { isExempt: isNextPart });
    return isNextPart ? inTurn() : this.hold(request, organizationId, inTurn);
  }

  /**
   * Counts the body of a request in the share of the organization until `act` has ended. Rejects with `overloaded` if there is no room. The
   * body of a request with several orders counts once, until the last of them has ended.
   */
  async hold<T>(request: FastifyRequest, organizationId: string, act: () => Promise<T>): Promise<T> {
    if (request.bodyBytes <= SMALL_BYTES) return act();
    const body = this.countedBodies.get(request) ?? this.countBody(request, organizationId);
    body.tasks += 1;
    try {
      return await act();
    } finally {
      body.tasks -= 1;
      if (body.tasks === 0) {
        this.countedBodies.delete(request);
        body.share.release();
      }
    }
  }

  private countBody(request: FastifyRequest, organizationId: string): CountedBody {
    const { bodyBytes } = request;
    if (!this.bodies.hasRoom(organizationId, bodyBytes)) throw tooManyBytes();
    const share = this.bodies.join(organizationId);
    share.add(bodyBytes);
    const body = { share, tasks: 0 };
    this.countedBodies.set(request, body);
    return body;
  }
}

function tooManyBytes(): Problem {
  return new Problem('overloaded', {
    detail:
      'The waiting requests to change accounts have too many bytes. Send fewer at once, or retry later.',
    headers: { 'retry-after': '1' },
  });
}
