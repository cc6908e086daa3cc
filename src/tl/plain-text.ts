const ENTITIES: Record<string, string> = {
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
  amp: '&',
};

/** A comment of the schema as one line of plain text; what it links to is called by its TL name. */
export function plainText(comment: string): string {
  return comment
    .replace(/\{@link ([\w.]+)\}/g, (_, target: string) => tlName(target))
    .replace(/<br\s*\/?>/gi, ' ')
    .replace(/<\/?[a-z][^>]*>/gi, '')
    .replace(/&(lt|gt|quot|#39|nbsp|amp);/g, (_, entity: string) => ENTITIES[entity] ?? '')
    .replace(/\s*»/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

// mtcute calls the method `auth.signIn` `auth.RawSignInRequest` and the constructor `user` `RawUser`. An update is called
// on the stream what mtcute calls it.
function tlName(target: string): string {
  const dot = target.lastIndexOf('.') + 1;
  const raw = /^Raw(\w+?)(Request)?$/.exec(target.slice(dot));
  if (!raw?.[1] || (/^Update[A-Z]/.test(raw[1]) && !raw[2])) return target;
  return target.slice(0, dot) + raw[1].charAt(0).toLowerCase() + raw[1].slice(1);
}
