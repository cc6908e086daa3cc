import { type ControlOrder, MessengerError } from '../../driver.ts';
import { examples } from '../methods.ts';
import { findSeeded } from '../model/people/seeded.ts';
import { getSelf } from '../model/people/users.ts';
import type { ExampleContext } from './example.ts';

/**
 * Examples of the given methods, with ids of the account. Each call succeeds if it is sent once. Methods without an example are left out.
 */
export const getExamples: ControlOrder = async (payload, call) => {
  const { methods } = payload as { methods: string[] };
  const [self, ids] = await Promise.all([getSelf(call), findSeeded(call)]);
  if (!ids) return { examples: {} };
  const context: ExampleContext = { call, self, ids };
  const found = await Promise.all(
    methods.map(async (name) => [name, await findExample(name, context)] as const),
  );
  return { examples: Object.fromEntries(found.filter(([, params]) => params !== null)) };
};

// The seeded object of an example may have been deleted.
async function findExample(name: string, context: ExampleContext): Promise<object | null> {
  const example = Object.hasOwn(examples, name) ? examples[name as keyof typeof examples] : undefined;
  try {
    return (await example?.(context)) ?? null;
  } catch (error) {
    if (error instanceof MessengerError) return null;
    throw error;
  }
}
