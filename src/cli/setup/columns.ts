import type { Column } from '../terminal/output.ts';

type Item = Record<string, unknown>;

const member =
  (name: string) =>
  (item: Item): unknown =>
    item[name];
const columns = (...names: string[]): Column<Item>[] => names.map((name) => [name, member(name)]);
const CODE: Column<Item> = ['error', ({ error }) => (error as { code?: string } | null)?.code];
const TARGET: Column<Item> = ['target', ({ target }) => Object.values(target as object).join(' ')];
// The root key has no id. Another key may have the same name.
const BY: Column<Item> = [
  'by',
  ({ by }) => {
    const { id, name } = by as { id: string | null; name: string };
    return id === null ? name : `${name} ${id}`;
  },
];
const ACTION: Column<Item> = [
  'action',
  ({ action, cascade }) => (cascade === true ? `${action} with cascade` : action),
];
const LAST: Column<Item> = [
  'last attempt',
  ({ attempts }) => {
    const last = (attempts as { statusCode: number | null; error: string | null }[]).at(-1);
    return last?.statusCode ?? last?.error;
  },
];

/** The lists of the API: their paths, and the columns of their tables. */
export const LISTS: Readonly<Record<string, readonly Column<Item>[]>> = {
  organizations: columns('id', 'createdAt', 'name'),
  workspaces: columns('id', 'organizationId', 'weight', 'bytesUsed', 'createdAt', 'name'),
  'messenger-accounts': columns('id', 'workspaceId', 'driver', 'status', 'userId', 'username', 'name'),
  'api-keys': columns('id', 'organizationId', 'workspaceId', 'expiresAt', 'name', 'scopes'),
  webhooks: columns('id', 'workspaceId', 'status', 'kinds', 'url'),
  calls: [...columns('id', 'createdAt', 'messengerAccountId', 'status', 'attempts', 'method'), CODE],
  pauses: [TARGET, ...columns('mode', 'reason', 'since'), BY],
  workers: columns('id', 'state', 'version', 'busyShare', 'callsPerSecond', 'running', 'startedAt'),
  audit: [...columns('createdAt'), BY, ACTION, TARGET, ...columns('from', 'to')],
  deliveries: [...columns('id', 'createdAt', 'status', 'kind', 'nextAttemptAt'), LAST],
  methods: columns('name', 'executed', 'readOnly', 'purpose'),
};
