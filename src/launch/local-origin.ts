const EVERY_ADDRESS: Record<string, string> = {
  '0.0.0.0': '127.0.0.1',
  '::': '::1',
};

/** The address at which this machine reaches a server that listens on a host and port. */
export function localOrigin(host: string, port: number): string {
  const name = EVERY_ADDRESS[host] ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
