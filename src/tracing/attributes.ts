import type { Attributes } from './trace.ts';

/** A call, as its spans name it. */
interface NamedCall {
  id: string;
  method: string;
  workspaceId: string;
  account: { id: string };
  /** Absent where nobody has looked it up. */
  driver?: string;
}

// What does not look like a code may be text of a caller.
const CODE = /^[A-Za-z0-9_]{1,64}$/;

/** What spans of a call say of it. */
export function callAttributes({ id, method, workspaceId, account, driver }: NamedCall): Attributes {
  return {
    'switchboard.call.id': id,
    'switchboard.method': method,
    ...(driver === undefined ? {} : { 'switchboard.driver': driver }),
    'switchboard.workspace.id': workspaceId,
    'switchboard.account.id': account.id,
  };
}

/** What spans say of a queue, by the semantic conventions for messaging. */
export function queueAttributes(operation: 'send' | 'process', lane: string, calls: number): Attributes {
  return {
    'messaging.system': 'bullmq',
    'messaging.operation.name': operation,
    'messaging.operation.type': operation,
    'messaging.destination.name': lane,
    'messaging.batch.message_count': calls,
  };
}

/** Says that a span failed, with the code of a problem. */
export function failure(code: string): Attributes {
  return { 'error.type': CODE.test(code) ? code : '_OTHER' };
}
