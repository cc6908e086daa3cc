import type { Method } from '../../../workers/driver.ts';
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
