import type { TlMethod } from './methods.ts';
import { camelCase, schema } from './schema.ts';

interface Plan {
  /** Names of `true` flags: present in every result. */
  flags: string[];
  /** Names of Bool fields' and objects' members that may hold TL objects. */
  nested: string[];
}

const plans = new Map<string, Plan>();

/**
 * The documented result object of what a handler returned: always an object with `_`, a Bool as `boolTrue` or `boolFalse`, a
 * vector as `{"_":"vector","items":[…]}`, with every `true` flag present.
 */
export function toResult(method: TlMethod, value: unknown): object {
  if (method.returnsVector || Array.isArray(value)) {
    return { _: 'vector', items: (value as unknown[]).map(fillNested) };
  }
  if (typeof value === 'boolean') return { _: value ? 'boolTrue' : 'boolFalse' };
  if (typeof value !== 'object' || value === null) return { _: method.returns, value };
  return fillFlags(value);
}

/** The TL object with every `true` flag present at every depth, true or false; the rest is as it was. */
export function fillFlags<T extends object>(value: T): T {
  const plan = planOf((value as { _: string })._);
  if (!plan) return value;
  const filled = { ...value } as Record<string, unknown>;
  for (const name of plan.flags) filled[name] = filled[name] === true;
  for (const name of plan.nested) {
    if (filled[name] !== undefined) filled[name] = fillNested(filled[name]);
  }
  return filled as T;
}

function fillNested(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fillNested);
  if (typeof value !== 'object' || value === null || !('_' in value)) return value;
  return fillFlags(value);
}

function planOf(name: string): Plan | null {
  const known = plans.get(name);
  if (known) return known;
  const entry = schema.constructors.get(name);
  if (!entry) return null;
  const plan: Plan = { flags: [], nested: [] };
  for (const field of entry.arguments) {
    if (field.type === 'true') plan.flags.push(camelCase(field.name));
    else if (schema.unions.has(field.type)) plan.nested.push(camelCase(field.name));
  }
  plans.set(name, plan);
  return plan;
}
