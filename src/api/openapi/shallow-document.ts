import type { Components, JsonSchema } from '../../tl/json-schema.ts';
import { shallowSchemas } from './shallow-schemas.ts';
import { usedComponents } from './used-components.ts';

/** The parts of the OpenAPI document that are used here. */
export interface OpenapiDocument {
  paths: object;
  webhooks: object;
  components: { schemas: Record<string, JsonSchema>; responses: object; parameters: object };
  [member: string]: unknown;
}

// With one more level, the document is three times as large for tools that follow every reference.
const SHALLOW = { levels: 0, smallMax: 300 };

/** The same document with schemas of TL that are described less deeply, and without recursion. */
export function makeShallow(document: OpenapiDocument): object {
  const { paths, webhooks, components } = document;
  const tl: Components = new Map(
    Object.entries(components.schemas).filter(([name]) => name.startsWith('TL.')),
  );
  const shallow = shallowSchemas([paths], tl, SHALLOW);
  const all = Object.entries(components.schemas).map(([name, schema]) => [name, shallow.get(name) ?? schema]);
  const schemas = usedComponents([paths, webhooks, components.responses], Object.fromEntries(all));
  return { ...document, components: { ...components, schemas } };
}
