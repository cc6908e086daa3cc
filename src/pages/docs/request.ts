import type { Connection } from './connection.ts';
import type { Operation, Parameter } from './reference.ts';

/** The values in the form of an operation. */
export interface Form {
  /** By the location and name of the parameter: `path id`, `query limit`. */
  values: Record<string, string>;
  body: string;
}

/** A complete request except for the key. */
export interface Ready {
  verb: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

export function slotOf({ in: place, name }: Parameter): string {
  return `${place} ${name}`;
}

/** The collection of an id in a path: `webhooks` for `/v1/webhooks/{id}`. Null for other parameters. */
export function collectionOf({ path }: Operation, { in: place, name }: Parameter): string | null {
  if (place !== 'path') return null;
  const segments = path.split('/');
  return segments[segments.indexOf(`{${name}}`) - 1] ?? null;
}

/** The request that a form describes. Empty parameters are shown by their names. */
export function readyRequest(connection: Connection, operation: Operation, form: Form): Ready {
  let { path } = operation;
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  for (const parameter of operation.parameters) {
    const value = form.values[slotOf(parameter)] ?? '';
    if (value === '') continue;
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, encodeURIComponent(value));
    else if (parameter.in === 'header') headers[parameter.name] = value;
    else query.append(parameter.name, value);
  }
  if (operation.body !== null) headers['Content-Type'] = 'application/json';
  return {
    verb: operation.verb,
    url: `${connection.url}${path}${query.size > 0 ? `?${query}` : ''}`,
    headers,
    body: operation.body === null ? null : form.body,
  };
}

const OWN_IDS: Record<string, string> = {
  workspaceId: 'workspaces',
  messengerAccountId: 'messenger-accounts',
  accountId: 'messenger-accounts',
  organizationId: 'organizations',
};

/** An example body with the ids that the reader has chosen. */
export function withOwnIds(connection: Connection, example: unknown): unknown {
  if (Array.isArray(example)) return example.map((item) => withOwnIds(connection, item));
  if (typeof example !== 'object' || example === null) return example;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      const own = connection.id(OWN_IDS[name] ?? '');
      return [name, own !== '' && typeof value === 'string' ? own : withOwnIds(connection, value)];
    }),
  );
}
