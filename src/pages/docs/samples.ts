import type { Connection } from './connection.ts';
import type { Operation } from './reference.ts';
import type { Form, Ready } from './request.ts';

const LISTS = new Set(['organizations', 'workspaces', 'messenger-accounts', 'api-keys', 'webhooks', 'calls']);

/** The request as a command for a shell. */
export function toCurl({ verb, url, headers, body }: Ready, key: string): string {
  const isStream = /[?&]live=/.test(url);
  const sent = { ...(key === '' ? {} : { Authorization: `Bearer ${key}` }), ...headers };
  const parts = [
    `curl -sS${isStream ? 'N' : ''}${verb === 'GET' ? '' : ` -X ${verb}`} ${quote(url)}`,
    ...Object.entries(sent).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${quote(compact(body))}`]),
  ];
  return parts.join(' \\\n  ');
}

/** The request as a program with `switchboard/client`, or with `fetch` where the client has no method for it. */
export function toTypescript(connection: Connection, operation: Operation, form: Form, ready: Ready): string {
  const [, collection = ''] = /^\/v1\/([a-z-]+)$/.exec(operation.path) ?? [];
  if (operation.method !== null)
    return hasParamsOnly(ready) ? methodSample(connection, operation.method, form) : fetchSample(ready);
  if (operation.verb === 'GET' && LISTS.has(collection)) {
    const filter = [...new URL(ready.url).searchParams];
    const given = filter.length === 0 ? '' : `, ${toSource(Object.fromEntries(filter.map(typed)))}`;
    return `${opening(connection)}
for await (const item of client.list('${collection}'${given})) {
  console.log(item);
}
`;
  }
  if (operation.path === '/v1/workspaces/{workspaceId}/updates') {
    return `${opening(connection)}
for await (const item of client.workspace(${toSource(form.values['path workspaceId'] ?? '')}).updates(${updatesOptions(ready)})) {
  console.log(item.kind, item);
}
`;
  }
  return fetchSample(ready);
}

/** Whether a call has no more than its params: the sample of a method would leave out `validate=only`, a key or a schedule. */
function hasParamsOnly({ url, headers, body }: Ready): boolean {
  const members = { ...headers, ...JSON.parse(body ?? '{}') };
  return !url.includes('?') && Object.keys(members).every((name) => /^(Content-Type|params)$/.test(name));
}

function methodSample(connection: Connection, method: string, form: Form): string {
  const { params = {} } = JSON.parse(form.body);
  const ids = ['path workspaceId', 'path accountId'].map(
    (slot) => `\n  ${toSource(form.values[slot] ?? '')},`,
  );
  const given = Object.keys(params).length === 0 ? '{}' : toSource(params);
  return `${opening(connection)}
const account = client.account(${ids.join('')}
);

const { result, txid } = await account.${method}(${given});
console.log(txid, result);
`;
}

function updatesOptions({ url }: Ready): string {
  const query = new URL(url).searchParams;
  const options = {
    offset: query.get('offset'),
    kinds: query.get('kind')?.split(','),
    accountIds: query.get('messengerAccountId')?.split(','),
  };
  const given = Object.entries(options).filter(([, value]) => value);
  return given.length === 0 ? '' : toSource(Object.fromEntries(given));
}

function opening({ url }: Connection): string {
  return `import { Client } from 'switchboard/client';

const client = new Client({
  url: ${toSource(url)},
  key: process.env.SWITCHBOARD_KEY ?? '',
});`;
}

function fetchSample({ verb, url, headers, body }: Ready): string {
  const options = [
    `  method: ${toSource(verb)},`,
    `  headers: { ${[
      'Authorization: `Bearer $' + '{process.env.SWITCHBOARD_KEY}`',
      ...Object.entries(headers).map(([name, value]) => `${toSource(name)}: ${toSource(value)}`),
    ].join(', ')} },`,
    ...(body === null ? [] : [`  body: JSON.stringify(${toSource(JSON.parse(body), 1)}),`]),
  ];
  return `const response = await fetch(${toSource(url)}, {
${options.join('\n')}
});
console.log(response.status, await response.text());
`;
}

// Query parameters are text, but the options of the client are typed.
function typed([name, value]: [string, string]): [string, unknown] {
  return [name, /^(true|false|\d{1,15})$/.test(value) ? JSON.parse(value) : value];
}

/** A JSON value as TypeScript source. */
function toSource(value: unknown, depth = 0): string {
  const indent = '  '.repeat(depth + 1);
  const end = '  '.repeat(depth);
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => toSource(item, depth + 1))
    : Object.entries(value).map(
        ([name, item]) =>
          `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : toSource(name)}: ${toSource(item, depth + 1)}`,
      );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (items.length === 0) return `${open}${close}`;
  const space = isList ? '' : ' ';
  const line = `${open}${space}${items.join(', ')}${space}${close}`;
  if (line.length <= 60 && !line.includes('\n')) return line;
  return `${open}\n${items.map((item) => `${indent}${item},\n`).join('')}${end}${close}`;
}

function compact(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return body;
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
