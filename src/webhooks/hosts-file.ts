import type { LookupAddress } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';

const SYSTEM_FILE =
  process.platform === 'win32'
    ? join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts')
    : '/etc/hosts';

const FRESH_MS = 5_000;

const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** The names that this machine knows without asking a name server: those of its hosts file, and `localhost` with all below it (RFC 6761). */
export class HostsFile {
  private readonly path: string;
  private names: Promise<Map<string, LookupAddress[]>> | null = null;
  private staleAt = 0;

  constructor(path = SYSTEM_FILE) {
    this.path = path;
  }

  /** The addresses of a name; empty if the name is not known here. */
  async find(hostname: string): Promise<LookupAddress[]> {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    if (this.names === null || performance.now() > this.staleAt) {
      this.staleAt = performance.now() + FRESH_MS;
      this.names = this.read();
    }
    const found = (await this.names).get(name);
    if (found !== undefined) return found;
    return name === 'localhost' || name.endsWith('.localhost') ? LOOPBACK : [];
  }

  private async read(): Promise<Map<string, LookupAddress[]>> {
    const text = await readFile(this.path, 'utf8').catch(() => '');
    const found = new Map<string, LookupAddress[]>();
    for (const line of text.split('\n')) {
      const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
      const family = isIP(address);
      if (family === 0) continue;
      for (const name of names.map((each) => each.toLowerCase()))
        found.set(name, [...(found.get(name) ?? []), { address, family }]);
    }
    return found;
  }
}
