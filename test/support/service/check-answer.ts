import { fillFlags } from '../../../src/tl/fill-flags.ts';
import { findMethod } from '../../../src/tl/methods.ts';
import { getSchema } from '../../../src/tl/schema.ts';
import { checkBinary } from '../tl/binary.ts';
import { checkObject, checkResult } from '../tl/check-result.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies are of any shape
type Body = any;

const CALL = /\/call\/([\w.]+)$/;
const UPDATES = /\/workspaces\/[^/]+\/updates(\?|$)/;

/**
 * Throws if an answer has a result, or updates, that are not exactly as the TL schema describes them, or that are others after mtcute's
 * binary writer and reader: a client must be able to take whatever the service says.
 */
export function checkAnswer(path: string, { status, body }: { status: number; body: Body }): void {
  if (status !== 200) return;
  const method = findMethod(CALL.exec(path)?.[1] ?? '');
  const found: unknown[] = method ? [...checkResult(method, body.result), ...checkBinary(body.result)] : [];
  if (UPDATES.test(path) && Array.isArray(body)) found.push(...body.flatMap(checkEntry));
  if (found.length > 0) throw new Error(`${path}: ${JSON.stringify(found)}`);
}

/** What is wrong with an entry of the update stream. */
export function checkEntry({ update, users, chats }: Body): unknown[] {
  // Events of calls are not of the schema.
  if (!getSchema().constructors.has(update?._)) return [];
  const checkAll = (type: string, values: object[]) =>
    values.flatMap((value) => [...checkObject(type, fillFlags(value)), ...checkBinary(value)]);
  return [...checkAll('Update', [update]), ...checkAll('User', users), ...checkAll('Chat', chats)];
}
