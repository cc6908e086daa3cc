import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { Problem } from '../../problem.ts';

/**
 * The entity tag of a record as `shape` shows it. Members that are stored elsewhere, such as a count, are hashed separately, after a dot:
 * they change by themselves, and do not matter for changing the record.
 */
export function etagOf(shape: z.ZodObject, record: object, shown: object = record): string {
  const members = Object.keys(shape.shape);
  const beside = members.filter((member) => !(member in record));
  const own = ownTag(shape, record);
  return beside.length === 0 ? `"${own}"` : `"${own}.${hash(shown, beside)}"`;
}

/** Throws `precondition_failed` if a request has an `If-Match` that does not name the record as it is (RFC 9110, 13.1.1). */
export function checkIfMatch(header: string | undefined, shape: z.ZodObject, record: object): void {
  if (header === undefined || header.trim() === '*') return;
  const own = ownTag(shape, record);
  const isNamed = header.split(',').some((tag) => /^\s*"([^".]*)(\.[^".]*)?"\s*$/.exec(tag)?.[1] === own);
  if (!isNamed) throw new Problem('precondition_failed');
}

function ownTag(shape: z.ZodObject, record: object): string {
  return hash(
    record,
    Object.keys(shape.shape).filter((member) => member in record),
  );
}

function hash(values: object, members: string[]): string {
  const text = JSON.stringify(members.map((member) => values[member as keyof typeof values]));
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
