import type { RedisConnection } from '../../../src/redis/connections.ts';
import { batchReads } from '../../../src/state/batch-reads.ts';
import { Transaction } from '../../../src/state/transaction.ts';
import { findMethod, type TlMethod } from '../../../src/tl/methods.ts';
import { validateParams } from '../../../src/tl/validate-params.ts';
import { type CallContext, MessengerError, type Method } from '../../../workers/driver.ts';
import { fillRandomIds } from '../../../workers/executor/random-ids.ts';
import { callContext } from './call-context.ts';
import type { Sandbox, SandboxAccount } from './sandbox.ts';

/** What a call of a method has read. */
export interface ReadCost {
  commands: number;
  /** Fields, members and the like in the answers. */
  values: number;
  bytes: number;
  /** Characters that were parsed as JSON. */
  parsed: number;
  /** Characters that the call is charged for. */
  charged: number;
}

/** What a call of a method, or an order, reads; nothing that it writes is committed. What it throws has the method's name. */
export async function readCostOf(
  sandbox: Sandbox,
  account: SandboxAccount,
  name: string,
  params: Record<string, unknown>,
): Promise<ReadCost> {
  const cost: ReadCost = { commands: 0, values: 0, bytes: 0, parsed: 0, charged: 0 };
  const error = await runCounting(sandbox, account, { name, params }, cost);
  if (error !== null) throw new Error(`${name}: ${error}`, { cause: error });
  return cost;
}

/** The same of a call that has to be refused, with the name of its error. */
export async function refusedCostOf(
  sandbox: Sandbox,
  account: SandboxAccount,
  name: string,
  params: Record<string, unknown>,
): Promise<ReadCost & { code: string }> {
  const cost: ReadCost = { commands: 0, values: 0, bytes: 0, parsed: 0, charged: 0 };
  const error = await runCounting(sandbox, account, { name, params }, cost);
  if (!(error instanceof MessengerError)) throw new Error(`${name} was not refused`, { cause: error });
  return { ...cost, code: error.error };
}

interface Asked {
  name: string;
  params: Record<string, unknown>;
}

async function runCounting(
  sandbox: Sandbox,
  account: SandboxAccount,
  asked: Asked,
  cost: ReadCost,
): Promise<unknown> {
  const tx = new Transaction(batchReads(countingReader(sandbox.redis, cost)), account.workspaceId);
  const run = prepare(sandbox, asked, callContext(account, tx, asked.params));
  const { parse } = JSON;
  JSON.parse = (text, ...more) => {
    cost.parsed += String(text).length;
    return parse(text, ...more);
  };
  try {
    await run();
    return null;
  } catch (error) {
    return error;
  } finally {
    JSON.parse = parse;
    cost.charged = tx.charactersRead;
  }
}

function prepare(sandbox: Sandbox, { name, params }: Asked, call: CallContext): () => Promise<unknown> {
  const order = sandbox.driver.orders.get(name);
  if (order) return () => order(params, call);
  const tlMethod = findMethod(name) as TlMethod;
  const checked = validateParams(tlMethod, params);
  if (!checked.ok) throw new Error(`${name}: ${JSON.stringify(checked.errors)}`);
  const given = fillRandomIds(tlMethod, checked.params as Record<string, unknown>, call.id);
  const method = sandbox.driver.methods.get(name) as Method;
  return () => method.run(given as never, call);
}

function countingReader(redis: RedisConnection, cost: ReadCost): RedisConnection {
  return new Proxy(redis, {
    get(target, property) {
      const member = Reflect.get(target, property);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        // What is passed over by its number is walked through, though it is not in the answer.
        const limited = args.indexOf('LIMIT');
        if (limited !== -1) cost.values += Number(args[limited + 1]);
        const answer = member.apply(target, args);
        if (typeof answer?.then !== 'function') return answer;
        cost.commands += 1;
        return answer.then((found: unknown) => {
          count(found, cost);
          return found;
        });
      };
    },
  });
}

function count(found: unknown, cost: ReadCost): void {
  if (Array.isArray(found)) for (const one of found) count(one, cost);
  else if (found !== null && typeof found === 'object') count(Object.entries(found), cost);
  else {
    cost.values += 1;
    cost.bytes += String(found ?? '').length;
  }
}
