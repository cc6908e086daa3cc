import { createHash } from 'node:crypto';

/** A short text that is the same for two values only if their JSON is. */
export function digest(value: unknown): string {
  return createHash('sha1').update(JSON.stringify(value)).digest('base64url').slice(0, 16);
}
