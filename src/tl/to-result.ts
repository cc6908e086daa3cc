import { fillFlags, fillNested } from './fill-flags.ts';
import type { TlMethod } from './methods.ts';

/**
 * The documented result object for a handler's return value: always an object with `_`, a Bool as `boolTrue` or `boolFalse`, a vector as
 * `{"_":"vector","items":[…]}`, with every `true` flag present.
 */
export function toResult(method: TlMethod, value: unknown): object {
  if (method.returnsVector && Array.isArray(value)) return { _: 'vector', items: value.map(fillNested) };
  if (method.returns === 'Bool' && typeof value === 'boolean') return { _: value ? 'boolTrue' : 'boolFalse' };
  if (typeof value === 'object' && value !== null) return fillFlags(value);
  throw new TypeError(`${method.name} returned ${typeof value} instead of ${method.returns}`);
}
