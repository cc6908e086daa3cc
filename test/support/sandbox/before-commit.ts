import type { ControlOrder, Method } from '../../../workers/driver.ts';
import type { Sandbox } from './sandbox.ts';

/** Does something once, between what a method reads and its commit. */
export function beforeCommitOf(sandbox: Sandbox, name: string, act: () => Promise<unknown>): void {
  const methods = sandbox.driver.methods as Map<string, Method>;
  const method = methods.get(name) as Method;
  methods.set(name, {
    ...method,
    run: async (...given: Parameters<typeof method.run>) => {
      const result = await method.run(...given);
      methods.set(name, method);
      await act();
      return result;
    },
  });
}

/** The same for an order; for one that takes several commits, before the first whose result is `isMeant`. */
export function beforeCommitOfOrder(
  sandbox: Sandbox,
  name: string,
  act: () => Promise<unknown>,
  isMeant: (result: unknown) => boolean = () => true,
): void {
  const orders = sandbox.driver.orders as Map<string, ControlOrder>;
  const order = orders.get(name) as ControlOrder;
  orders.set(name, async (...given) => {
    const result = await order(...given);
    if (!isMeant(result)) return result;
    orders.set(name, order);
    await act();
    return result;
  });
}

/**
 * Does something once, right after what a method reads first by a command, of a sorted set, newest first, if not told otherwise; or after
 * the first such read that `isMeant` is true for.
 */
export function afterListIn(
  sandbox: Sandbox,
  name: string,
  act: () => Promise<unknown>,
  command: 'zrevrange' | 'zrevrangebyscore' | 'hkeys' | 'hgetall' | 'smismember' | 'hget' = 'zrevrange',
  isMeant: (...given: string[]) => boolean = () => true,
): void {
  const methods = sandbox.driver.methods as Map<string, Method>;
  const method = methods.get(name) as Method;
  methods.set(name, {
    ...method,
    run: (params, call) => {
      methods.set(name, method);
      const { read } = call.tx;
      const list = async (...given: never[]) => {
        const found = await (read[command] as (...given: never[]) => Promise<unknown>)(...given);
        if (!isMeant(...given)) return found;
        Object.assign(reading, { [command]: read[command] });
        await act();
        return found;
      };
      const reading = { ...read, [command]: list };
      return method.run(params, { ...call, tx: Object.assign(call.tx, { read: reading }) });
    },
  });
}
