import { fieldsOf, type TlField } from './field.ts';
import { getSchema, type SchemaEntry } from './schema.ts';

/**
 * Which `randomId` of a method a caller may leave out: its own one, its own list, or that of each object in the named
 * list. Each names one thing that is sent, so that the messenger recognizes it when it is sent again.
 */
export interface RandomIds {
  randomId: 'one' | 'many' | null;
  /** The param (`multiMedia`) whose items each carry one. */
  randomIdItems: string | null;
}

// Other objects with a `randomId` name something that was sent before, or a purchase.
const SENT_ITEMS = new Set(['inputSingleMedia']);

/** The ids of a method that are derived when they are absent. */
export function findRandomIds(method: SchemaEntry): RandomIds {
  const fields = fieldsOf(method);
  const own = fields.find((field) => isDerived(method, field));
  const items = fields.find(({ type, isVector }) => isVector && isSentItem(type));
  return {
    randomId: own ? (own.isVector ? 'many' : 'one') : null,
    randomIdItems: items?.name ?? null,
  };
}

/** Whether a field of a method or constructor is an id that is derived when it is absent. */
export function isDerived(owner: SchemaEntry, field: TlField): boolean {
  return (
    field.name === 'randomId' &&
    field.type === 'long' &&
    (owner.kind === 'method' || SENT_ITEMS.has(owner.name))
  );
}

function isSentItem(type: string): boolean {
  return (
    getSchema()
      .types.get(type)
      ?.some(({ name }) => SENT_ITEMS.has(name)) ?? false
  );
}
