import type { IncomingMessage } from 'node:http';
import type { ApiKeys } from '../../directory/api-keys.ts';
import type { LaneName } from './pipeline.ts';

const CALL_PATH = /\/(?:call\/[^/]+|workspaces\/[^/]+\/calls)\/?(?:\?|$)/;

/** In which lane a request waits: calls and other requests of a tenant apart, as few of the latter are under way at once. */
export function laneOf(
  apiKeys: Pick<ApiKeys, 'tenantOf'>,
  { method, url = '', headers }: IncomingMessage,
): LaneName {
  const tenant = apiKeys.tenantOf(headers.authorization ?? '');
  const isCall = method === 'POST' && CALL_PATH.test(url);
  return { name: isCall ? `${tenant} calls` : tenant, counts: !isCall };
}
