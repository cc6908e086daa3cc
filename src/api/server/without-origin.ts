/** An address without its origin: clients may send it whole, as to a proxy (RFC 9112, 3.2.2). */
export function withoutOrigin(url: string): string {
  const origin = url.startsWith('/') ? null : /^https?:\/\/[^/?]*/.exec(url);
  if (origin === null) return url;
  const rest = url.slice(origin[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
