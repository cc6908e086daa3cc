import type { Attributes } from './trace.ts';

/** The parts of a call that its spans show. */
interface NamedCall {
  id: string;
  method: string;
  workspaceId: string;
  account: { id: string };
  /** Absent if it was not looked up. */
  driver?: string;
}

// Other texts may come from a caller.
const CODE = /^[A-Za-z0-9_]{1,64}$/;

/** The attributes of a call's spans. */
export function callAttributes({ id, method, workspaceId, account, driver }: NamedCall): Attributes {
  return {
    'switchboard.call.id': id,
    'switchboard.method': method,
    ...(driver === undefined ? {} : { 'switchboard.driver': driver }),
    'switchboard.workspace.id': workspaceId,
    'switchboard.account.id': account.id,
  };
}

/** The attributes of a queue's spans, by the semantic conventions for messaging. */
export function queueAttributes(operation: 'send' | 'process', lane: string, calls: number): Attributes {
  return {
    'messaging.system': 'bullmq',
    'messaging.operation.name': operation,
    'messaging.operation.type': operation,
    'messaging.destination.name': lane,
    'messaging.batch.message_count': calls,
  };
}

/** The attributes of a failed span, with the code of its problem. */
export function failure(code: string): Attributes {
  return { 'error.type': CODE.test(code) ? code : '_OTHER' };
}
