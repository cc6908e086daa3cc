import type { Method } from '../../../workers/driver.ts';
import type { Sandbox } from './sandbox.ts';

/** What calls of a method have read. */
export interface Reads {
  /** The characters that it counts. */
  characters: number;
  /** How many fields of hashes it has looked up, by their keys. */
  fields: Map<string, number>;
}

/** What the next call of a method reads, also if it is run again because something has changed meanwhile. */
export async function countReads(
  sandbox: Sandbox,
  name: string,
  act: () => Promise<unknown>,
): Promise<Reads> {
  const reads: Reads = { characters: 0, fields: new Map() };
  const methods = sandbox.driver.methods as Map<string, Method>;
  const method = methods.get(name) as Method;
  methods.set(name, {
    ...method,
    run: async (params, call) => {
      const { read } = call.tx;
      const hmget = (key: string, ...fields: string[]) => {
        reads.fields.set(key, (reads.fields.get(key) ?? 0) + fields.length);
        return read.hmget(key, ...fields);
      };
      const tx = Object.assign(call.tx, { read: { ...read, hmget } });
      try {
        return await method.run(params, { ...call, tx });
      } finally {
        reads.characters += tx.charactersRead;
      }
    },
  });
  try {
    await act();
  } finally {
    methods.set(name, method);
  }
  return reads;
}
