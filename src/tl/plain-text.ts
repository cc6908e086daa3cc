import { getSchema } from './schema.ts';

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

// mtcute names the method `auth.signIn` `auth.RawSignInRequest`, and the constructor `user` `RawUser`; a constructor's name may end in
// `Request` too. Updates keep mtcute's names, because the stream uses them as kinds.
function tlName(target: string): string {
  const dot = target.lastIndexOf('.') + 1;
  const raw = /^Raw(\w)(\w*)$/.exec(target.slice(dot));
  if (!raw) return target;
  const name = `${target.slice(0, dot)}${raw[1]?.toLowerCase()}${raw[2]}`;
  const isMethod = name.endsWith('Request') && !getSchema().constructors.has(name);
  if (isMethod) return name.slice(0, -'Request'.length);
  return /^update[A-Z]/.test(name) ? target : name;
}
