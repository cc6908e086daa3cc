import { register } from 'node:module';

// Loaded before a process's main file (NODE_OPTIONS): it is then of the release after this one, whose wire version is the next. A worker has
// it in one of the chunks of its bundle.
const hooks = `
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!/\\/src\\/queue\\/wire\\.js$|\\/dist\\/workers\\/chunk-/.test(url)) return loaded;
  const source = String(loaded.source).replace(/\\bWIRE_VERSION = (\\d+);/, (_, v) => 'WIRE_VERSION = ' + (Number(v) + 1) + ';');
  return { ...loaded, source };
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
