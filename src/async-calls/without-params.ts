import type { AsyncCall } from './async-call.ts';

const PARAMS = ',"params":';
const BEHIND = ',"seed":';

/**
 * A call as it is kept, without its params, which are not parsed: they may have a MiB. They stand between members whose values
 * hold none of these marks.
 */
export function withoutParams(json: string): Omit<AsyncCall, 'params'> {
  const start = json.indexOf(PARAMS);
  const end = json.lastIndexOf(BEHIND);
  if (start !== -1 && start < end) return JSON.parse(json.slice(0, start) + json.slice(end));
  const { params: _, ...rest } = JSON.parse(json) as AsyncCall;
  return rest;
}
