/** A reference to a component. */
export function refer(kind: 'schemas' | 'parameters' | 'responses' | 'headers', name: string) {
  return { $ref: `#/components/${kind}/${name}` };
}

/** The content of a JSON body. */
export function json(schema: object, example?: object) {
  return { 'application/json': { schema, ...(example && { example }) } };
}

/** The schema of an object with these members and no others. */
export function closed(members: Record<string, object>, optional: Record<string, object> = {}) {
  return {
    type: 'object',
    properties: { ...members, ...optional },
    required: Object.keys(members),
    additionalProperties: false,
  };
}
