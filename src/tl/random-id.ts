import { fieldsOf, type TlField } from './field.ts';
import { getSchema, type SchemaEntry } from './schema.ts';

/**
 * The `randomId`s of a method that a caller may leave out: they are then derived from the call. Each identifies one thing that is sent, so
 * that the messenger recognizes a repeat.
 */
export interface RandomIds {
  /** The method's own `randomId`: one id, or a list of many; null if it has none. */
  randomId: 'one' | 'many' | null;
  /** The param whose items have one `randomId` each, such as `multiMedia`; null if there is none. */
  randomIdItems: string | null;
}

// The objects that a method sends. In any other object `randomId` identifies something that was sent before, or a purchase.
const SENT_ITEMS = new Set(['inputSingleMedia']);

/** The `randomId`s of a method that are derived if absent. */
export function findRandomIds(method: SchemaEntry): RandomIds {
  const fields = fieldsOf(method);
  const own = fields.find((field) => isDerivedRandomId(method, field));
  const items = fields.find(({ type, isVector }) => isVector && isSentItem(type));
  return {
    randomId: own ? (own.isVector ? 'many' : 'one') : null,
    randomIdItems: items?.name ?? null,
  };
}

/** Whether a field of a method or constructor is a `randomId` that is derived if absent. */
export function isDerivedRandomId(owner: SchemaEntry, field: TlField): boolean {
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
