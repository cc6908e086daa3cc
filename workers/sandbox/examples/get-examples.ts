import { type ControlOrder, MessengerError } from '../../driver.ts';
import { examples } from '../methods.ts';
import { findSeeded } from '../model/people/seeded.ts';
import { getSelf } from '../model/people/users.ts';
import type { Exemplar } from './example.ts';

/**
 * Examples of the methods named, with ids of the account's own; each succeeds when it is sent once. Those there are none of are
 * left out.
 */
export const getExamples: ControlOrder = async (payload, call) => {
  const { methods } = payload as { methods: string[] };
  const [self, ids] = await Promise.all([getSelf(call), findSeeded(call)]);
  if (!ids) return { examples: {} };
  const exemplar: Exemplar = { call, self, ids };
  const found = await Promise.all(
    methods.map(async (name) => [name, await findExample(name, exemplar)] as const),
  );
  return { examples: Object.fromEntries(found.filter(([, params]) => params !== null)) };
};

// What an example is about may have been deleted since the account was new.
async function findExample(name: string, exemplar: Exemplar): Promise<object | null> {
  const example = Object.hasOwn(examples, name) ? examples[name as keyof typeof examples] : undefined;
  try {
    return (await example?.(exemplar)) ?? null;
  } catch (error) {
    if (error instanceof MessengerError) return null;
    throw error;
  }
}
