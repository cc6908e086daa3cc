import type { CallContext, ControlOrder, Fault } from '../driver.ts';

/** A hash: messenger account id -> the faults to inject. */
const FAULTS = 'faults';

/** A fault to inject into the next `count` calls of a method (`*`: of any method). */
export type FaultOrder = { method: string; count: number } & Fault;

/** Replaces the faults of an account. */
export const setFaults: ControlOrder = async (payload, call) => {
  const { faults } = payload as { faults: FaultOrder[] };
  if (faults.length === 0) clearFaults(call);
  else call.tx.hset(FAULTS, call.account.id, { faults });
  return { faults };
};

/** The faults of an account that were not injected yet. */
export const getFaults: ControlOrder = async (_payload, call) => ({
  faults: await findFaults(call),
});

/** Removes the faults of the account. */
export function clearFaults({ tx, account }: CallContext): void {
  tx.hdel(FAULTS, account.id);
}

/** Takes the next fault that applies to the method; null if there is none. */
export async function takeFault(method: string, call: CallContext): Promise<Fault | null> {
  const raw = await call.tx.observe(FAULTS, call.account.id);
  if (raw === null) return null;
  const { faults } = JSON.parse(raw) as { faults: FaultOrder[] };
  const next = faults.find((fault) => fault.method === method || fault.method === '*');
  if (!next) return null;
  const { method: _, count, ...fault } = next;
  const left = faults.flatMap((other) => {
    if (other !== next) return [other];
    return count > 1 ? [{ ...next, count: count - 1 }] : [];
  });
  if (left.length === 0) call.tx.hdel(FAULTS, call.account.id);
  else call.tx.hset(FAULTS, call.account.id, { faults: left });
  return fault as Fault;
}

async function findFaults(call: CallContext): Promise<FaultOrder[]> {
  const raw = await call.tx.read.hget(call.tx.key(FAULTS), call.account.id);
  return raw === null ? [] : (JSON.parse(raw) as { faults: FaultOrder[] }).faults;
}
