import type { MethodName } from '../../tl/tl-json.ts';
import type { CallOptions } from '../options.ts';

type Run = (method: MethodName, params: object, options: CallOptions) => unknown;

/**
 * An object whose `tree.messages.sendMessage(params, options)` is `run('messages.sendMessage', params, options)`. The methods exist only in
 * the types, not here. Members of `own` come first.
 */
export function methodTree<Tree extends object>(own: object, run: Run): Tree {
  const method =
    (name: string) =>
    (params: object = {}, options: CallOptions = {}) =>
      run(name as MethodName, params, options);
  return growing(own, (namespace) => growing({}, (name) => method(`${namespace}.${name}`))) as Tree;
}

/** An object whose members are made when they are first asked for. */
function growing(own: object, make: (name: string) => unknown): object {
  return new Proxy(own, {
    get(known: Record<string | symbol, unknown>, name) {
      // The members that `await`, `JSON.stringify` and loggers look for are not methods.
      if (typeof name === 'symbol' || name === 'then' || name === 'toJSON' || name in known)
        return known[name];
      known[name] = make(name);
      return known[name];
    },
  });
}
