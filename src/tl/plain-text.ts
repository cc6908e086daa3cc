const ENTITIES: Record<string, string> = {
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
  amp: '&',
};

/** A comment of the schema as one line of plain text. Links become the TL names of their targets. */
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

// mtcute's name of the method `auth.signIn` is `auth.RawSignInRequest`, of the constructor `user` `RawUser`. Updates keep mtcute's names,
// because the stream uses them as kinds.
function tlName(target: string): string {
  const dot = target.lastIndexOf('.') + 1;
  const raw = /^Raw(\w+?)(Request)?$/.exec(target.slice(dot));
  if (!raw?.[1] || (/^Update[A-Z]/.test(raw[1]) && !raw[2])) return target;
  return target.slice(0, dot) + raw[1].charAt(0).toLowerCase() + raw[1].slice(1);
}
