/** One server of a Redis deployment. */
export interface RedisHost {
  host: string;
  port: number;
}

/** The address of a Redis, with credentials: one server, a cluster by some of its nodes, or a master by its sentinels. */
export interface RedisAddress {
  kind: 'server' | 'cluster' | 'sentinel';
  hosts: RedisHost[];
  /** The Unix socket of a server; `hosts` is empty then. */
  path?: string;
  tls: boolean;
  username?: string;
  password?: string;
  /** Number of the database; always 0 for a cluster. */
  db: number;
  /** The master's name at the sentinels, and the sentinels' own credentials. */
  masterName?: string;
  sentinelUsername?: string;
  sentinelPassword?: string;
}

const FORM =
  /^redis(?<tls>s?)(?:\+(?<kind>cluster|sentinel))?:\/\/(?:(?<userinfo>[^/?#]*)@)?(?<hosts>[^/?#@]+)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?$/;
const UNIX_FORM = /^redis\+unix:\/\/(?:(?<userinfo>[^/?#]*)@)?(?<path>\/[^?#]+)(?:\?db=(?<db>\d{1,6}))?$/;
const DEFAULT_PORTS = { server: 6379, cluster: 6379, sentinel: 26_379 };

/**
 * Parses `redis://user:password@host:port/db`, `redis+unix://user:password@/path/of/socket?db=0`,
 * `redis+cluster://…@host:port,host:port` or `redis+sentinel://…@host:port,host:port/master-name/db?sentinelPassword=…`; with `rediss`
 * for TLS. Null for anything else.
 */
export function parseRedisAddress(text: string): RedisAddress | null {
  // A line that was read from a file, as a secret often is, ends with a line feed.
  const trimmed = text.trim();
  if (trimmed.startsWith('redis+unix:')) return parseUnixAddress(trimmed);
  const parts = FORM.exec(trimmed)?.groups;
  if (parts === undefined) return null;
  const kind = (parts.kind ?? 'server') as RedisAddress['kind'];
  const hosts = (parts.hosts ?? '').split(',').map((host) => parseHost(host, DEFAULT_PORTS[kind]));
  const path = (parts.path ?? '').split('/').filter((part) => part !== '');
  const masterName = kind === 'sentinel' ? path.shift() : undefined;
  const [db = '0', ...rest] = path;
  const query = new URLSearchParams(parts.query);
  if (hosts.includes(null) || rest.length > 0 || !/^\d{1,6}$/.test(db)) return null;
  if (kind === 'server' && hosts.length > 1) return null;
  if (kind === 'cluster' && Number(db) !== 0) return null;
  if (kind === 'sentinel' && masterName === undefined) return null;
  try {
    return {
      kind,
      hosts: hosts as RedisHost[],
      tls: parts.tls === 's',
      ...parseUserinfo(parts.userinfo),
      db: Number(db),
      ...given('masterName', masterName && decodeURIComponent(masterName)),
      ...given('sentinelUsername', query.get('sentinelUsername')),
      ...given('sentinelPassword', query.get('sentinelPassword')),
    };
  } catch {
    // A broken percent-encoding.
    return null;
  }
}

/** An address without its credentials. */
export function showRedisAddress(text: string): string {
  return text
    .trim()
    .replace(/\/\/[^/?#]*@/, '//')
    .replace(/\?.*$/, '');
}

/**
 * The address of a cluster, from a list of its nodes, each `host:port` or a URL. All nodes use the credentials and TLS of the first URL
 * that has them. Null if it is not such a list.
 */
export function toClusterAddress(list: string): string | null {
  const nodes = list
    .split(',')
    .map((node) => node.trim())
    .filter((node) => node !== '')
    .map((node) => /^(?:redis(s?):\/\/)?(?:([^/?#]*)@)?([^/?#@]+)\/?$/.exec(node));
  if (nodes.length === 0 || nodes.includes(null)) return null;
  const tls = nodes.some((node) => node?.[1] === 's') ? 's' : '';
  const userinfo = nodes.find((node) => node?.[2] !== undefined)?.[2];
  const hosts = nodes.map((node) => node?.[3]).join(',');
  const address = `redis${tls}+cluster://${userinfo === undefined ? '' : `${userinfo}@`}${hosts}`;
  return parseRedisAddress(address) === null ? null : address;
}

function parseUnixAddress(text: string): RedisAddress | null {
  const { userinfo, path = '', db = '0' } = UNIX_FORM.exec(text)?.groups ?? {};
  if (path === '') return null;
  try {
    const place = { hosts: [], path: decodeURIComponent(path), tls: false, db: Number(db) };
    return { kind: 'server', ...place, ...parseUserinfo(userinfo) };
  } catch {
    // A broken percent-encoding.
    return null;
  }
}

function parseHost(text: string, defaultPort: number): RedisHost | null {
  // A URL may have spaces at its end.
  if (/\s/.test(text) || !URL.canParse(`http://${text}`)) return null;
  const { hostname } = new URL(`http://${text}`);
  const port = /:(\d+)$/.exec(text)?.[1] ?? defaultPort;
  return hostname === '' ? null : { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
}

function parseUserinfo(userinfo = ''): { username?: string; password?: string } {
  const [username = '', ...password] = userinfo.split(':');
  return {
    ...given('username', decodeURIComponent(username)),
    ...given('password', decodeURIComponent(password.join(':'))),
  };
}

function given<Name extends string>(name: Name, value: string | null | undefined) {
  return (value ? { [name]: value } : {}) as { [key in Name]?: string };
}
