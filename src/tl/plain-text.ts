const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ', amp: '&' };

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

// mtcute calls the method `auth.signIn` `auth.RawSignInRequest` and the constructor `user` `RawUser`.
function tlName(target: string): string {
  const dot = target.lastIndexOf('.') + 1;
  const raw = /^Raw(\w+?)(?:Request)?$/.exec(target.slice(dot))?.[1];
  return raw === undefined ? target : target.slice(0, dot) + raw.charAt(0).toLowerCase() + raw.slice(1);
}
