import type { AsyncCall } from './async-call.ts';

const PARAMS = ',"params":';
const BEHIND = ',"seed":';

/**
 * Parses a recorded call without its params, which may have a MiB. They are cut out as text, between members whose values cannot contain
 * these marks.
 */
export function withoutParams(json: string): Omit<AsyncCall, 'params'> {
  const start = json.indexOf(PARAMS);
  const end = json.lastIndexOf(BEHIND);
  if (start !== -1 && start < end) return JSON.parse(json.slice(0, start) + json.slice(end));
  const { params: _, ...rest } = JSON.parse(json) as AsyncCall;
  return rest;
}
