import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallableAccount } from '../../directory/accounts.ts';
import { callAttributes, failure } from '../../tracing/attributes.ts';
import type { Attributes, Trace, Tracing } from '../../tracing/trace.ts';
import type { Guard, RequestCheck } from './guards.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined for a request that is not traced. */
    trace: Trace | undefined;
  }
  interface FastifyContextConfig {
    /** Whether requests of the route are traced. */
    traced?: boolean;
  }
}

/**
 * Starts the trace of a request, or continues its caller's. It comes after the guards that identify the caller, so that only known callers
 * can start traces.
 */
export function traceGuard(tracing: Tracing): Guard {
  return (route) =>
    tracing.isOn && route?.config?.traced === true
      ? beginTrace(tracing, String(route.method), route.url)
      : null;
}

function beginTrace(tracing: Tracing, verb: string, path: string): RequestCheck {
  const name = `${verb} ${path}`;
  const attributes = { 'http.request.method': verb, 'http.route': path };
  return (request, reply) => {
    const { principal, headers } = request;
    const organizationId = principal.kind === 'root' ? '' : principal.organizationId;
    const trace = tracing.begin(name, attributes, headers, reply, organizationId);
    if (trace === undefined) return undefined;
    request.trace = trace;
    reply.raw.once('close', () => trace.end(ended(request, reply), { rest: 'respond' }));
    return undefined;
  };
}

function ended({ account, tlMethod, callId }: FastifyRequest, { raw }: FastifyReply): Attributes {
  const { statusCode, writableFinished } = raw;
  return {
    'http.response.status_code': statusCode,
    ...namesOf(account, tlMethod?.name, callId),
    ...(statusCode >= 500 ? failure(String(statusCode)) : {}),
    ...(writableFinished ? {} : failure('aborted')),
  };
}

// Only the names of records that were found: the path may hold any text.
function namesOf(account: CallableAccount | null, method: string | undefined, id: string): Attributes {
  if (account === null || method === undefined) return {};
  const { workspaceId, driver } = account;
  return callAttributes({ id, method, workspaceId, driver, account });
}
