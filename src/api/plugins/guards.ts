import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  RouteOptions,
} from 'fastify';

/** The result of a check: an error that refuses the request, undefined to let it pass, or `ANSWERED`. */
type Outcome = Error | undefined | typeof ANSWERED;

type Done = (error?: Error) => void;

/** Checks whether a request may go on. It returns a promise only if it must, because every request waits for all checks. */
export type RequestCheck = (request: FastifyRequest, reply: FastifyReply) => Outcome | Promise<Outcome>;

/** Returns the check that runs before a route's own hooks, or null for none. A null route stands for unknown addresses. */
export type Guard = (route: RouteOptions | null) => RequestCheck | null;

/** The result of a check that has answered the request itself. */
export const ANSWERED = Symbol('answered');

/**
 * Runs guards before everything else, in this order. Each is resolved once per route: looking at the route on every request
 * would cost more than most guards.
 */
export function installGuards(app: FastifyInstance, guards: Guard[]): void {
  const guardsOf = (route: RouteOptions | null) =>
    inOrder(guards.map((guard) => guard(route)).filter((check) => check !== null));
  app.addHook('onRoute', (route) => {
    route.onRequest = [guardsOf(route), ...[route.onRequest ?? []].flat()];
  });
  const checkUnknown = guardsOf(null);
  app.addHook('onRequest', function guardUnknown(request, reply, done) {
    if (request.is404) checkUnknown.call(this, request, reply, done);
    else done();
  });
}

/** One hook for all checks: a hook for each costs more than most of them. */
function inOrder(checks: readonly RequestCheck[]): onRequestHookHandler {
  return function checkAll(request, reply, done) {
    const found = runAll(checks, request, reply);
    if (found instanceof Promise) concludeLater(found, done);
    else conclude(found, done);
  };
}

function runAll(
  checks: readonly RequestCheck[],
  request: FastifyRequest,
  reply: FastifyReply,
): Outcome | Promise<Outcome> {
  for (let place = 0; place < checks.length; place += 1) {
    const found = run(checks[place] as RequestCheck, request, reply);
    if (found instanceof Promise) return goOn(found, checks.slice(place + 1), request, reply);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function goOn(
  checking: Promise<Outcome>,
  rest: readonly RequestCheck[],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Outcome> {
  return (await checking) ?? runAll(rest, request, reply);
}

// Fastify would not catch an error that a check throws after an asynchronous check.
function run(check: RequestCheck, request: FastifyRequest, reply: FastifyReply): ReturnType<RequestCheck> {
  try {
    return check(request, reply);
  } catch (error) {
    return error as Error;
  }
}

// Most requests are not checked asynchronously, and need no closure.
function concludeLater(checking: Promise<Outcome>, done: Done): void {
  checking.then((found) => conclude(found, done), done);
}

function conclude(found: Outcome, done: Done): void {
  if (found !== ANSWERED) done(found);
}
