/**
 * Whether an `Accept` header names `type` and does not prefer `other` to it (RFC 9110, 12.5.1). Wildcards count for `other` only.
 */
export function asksFor(header: string | undefined, type: string, other: string): boolean {
  if (header === undefined) return false;
  const qualities = readAccept(header);
  const wanted = qualities.get(type) ?? 0;
  return wanted > 0 && wanted >= qualityOf(qualities, other);
}

function readAccept(header: string): Map<string, number> {
  const qualities = new Map<string, number>();
  for (const item of header.toLowerCase().split(',')) {
    const [range = '', ...params] = item.split(';').map((part) => part.trim());
    const q = params.find((param) => param.startsWith('q='))?.slice(2) ?? '1';
    // An invalid quality counts as 0.
    qualities.set(range, /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(q) ? Number(q) : 0);
  }
  return qualities;
}

function qualityOf(qualities: Map<string, number>, type: string): number {
  const [main] = type.split('/');
  return qualities.get(type) ?? qualities.get(`${main}/*`) ?? qualities.get('*/*') ?? 0;
}
