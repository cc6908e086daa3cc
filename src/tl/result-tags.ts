import type { TlMethod } from './methods.ts';
import { getSchema } from './schema.ts';

/** The values of `_` that a method's result may have. */
export function resultTags({ returnType, returnsVector }: TlMethod): string[] {
  if (returnsVector) return ['vector'];
  if (returnType === 'Bool') return ['boolTrue', 'boolFalse'];
  return (getSchema().types.get(returnType) ?? []).map(({ name }) => name);
}
