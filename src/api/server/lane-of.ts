import type { IncomingMessage } from 'node:http';
import type { ApiKeys } from '../../directory/api-keys.ts';
import type { LaneName } from './pipeline.ts';

// Only the path counts: a tenant writes what it likes behind it.
const CALL_PATH =
  /^[^?#]*?\/workspaces\/[^/?#]+\/(?:messenger-accounts\/[^/?#]+\/call\/[^/?#]+|calls)\/?(?:[?#]|$)/;

// An orchestrator waits for a second or so, and then ends the process. Other requests without a key may be thousands.
const PROBE = /^[^?#]*?\/(?:livez|readyz)\/?(?:[?#]|$)/;
const PROBES: LaneName = { name: 'probes', counts: true };

/**
 * The lane in which a request waits. Calls and other requests of a tenant have separate lanes, as only few of the latter run at once. Probes
 * without a key have one of their own.
 */
export function laneOf(
  apiKeys: Pick<ApiKeys, 'tenantOf'>,
  { method, url = '', headers }: IncomingMessage,
): LaneName {
  if (headers.authorization === undefined && PROBE.test(url)) return PROBES;
  const tenant = apiKeys.tenantOf(headers.authorization ?? '');
  const isCall = method === 'POST' && CALL_PATH.test(url);
  return { name: isCall ? `${tenant} calls` : tenant, counts: !isCall };
}
