import { setTimeout as sleep } from 'node:timers/promises';
import type { Account, Service } from '../service/service.ts';

/** What calls at a steady rate came to. */
export interface SteadyCalls {
  answered: number;
  bytes: number;
  /** Those that were not answered with 200, as status and body. */
  failures: string[];
}

/** Makes the same call so many times a second, whatever becomes of it, and waits for the last answers. */
export async function callSteadily(
  service: Service,
  account: Account,
  call: { method: string; params: object; perSecond: number; forMs: number },
): Promise<SteadyCalls> {
  const { workspaceId, id } = account;
  const url = `${service.url}/workspaces/${workspaceId}/messenger-accounts/${id}/call/${call.method}`;
  const headers = { authorization: `Bearer ${service.rootKey}`, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify({ params: call.params }) };
  const result: SteadyCalls = { answered: 0, bytes: 0, failures: [] };
  const one = async () => {
    const answer = await fetch(url, init);
    const body = await answer.text();
    result.answered += 1;
    result.bytes += body.length;
    if (answer.status !== 200) result.failures.push(`${answer.status} ${body.slice(0, 200)}`);
  };
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  for (let made = 0; performance.now() - startedAt < call.forMs; ) {
    for (; made < ((performance.now() - startedAt) / 1_000) * call.perSecond; made += 1) {
      const answered = one()
        .catch((error) => void result.failures.push(String(error)))
        .finally(() => underWay.delete(answered));
      underWay.add(answered);
    }
    await sleep(5);
  }
  await Promise.all(underWay);
  return result;
}
