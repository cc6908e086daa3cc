// Loaded before a worker's main file: an async call is recorded as succeeded first, and then its effect is committed under another
// name and the record put right. Now and then the process dies between the two.
import { pathToFileURL } from 'node:url';
import { pack, unpack } from 'msgpackr';

const DIES_AFTER = 4;

const { commitScript } = await import(new URL('commit-script.js', pathToFileURL(process.argv[1] ?? '')).href);
const run = commitScript.run.bind(commitScript);
let recorded = 0;

/**
 * @param {import('ioredis').Redis} redis
 * @param {string[]} keys
 * @param {[Buffer, ...unknown[]]} args
 */
commitScript.run = async (redis, keys, args) => {
  const [writtenAgain, workspaces, ...transactions] = unpack(args[0]);
  const early = transactions.filter((/** @type {any[]} */ transaction) =>
    transaction.includes('call.succeeded'),
  );
  if (early.length === 0) return run(redis, keys, args);
  const ledgerOf = (/** @type {any[]} */ transaction) => /** @type {string} */ (keys[transaction[9] - 1]);
  for (const transaction of early) {
    await redis.hset(ledgerOf(transaction), transaction[0], '200 -\n{"result":{"_":"boolTrue"},"txid":1}');
    transaction[0] = 'late';
  }
  recorded += early.length;
  if (recorded >= DIES_AFTER) process.kill(process.pid, 'SIGKILL');
  const outcomes = await run(redis, keys, [
    pack([writtenAgain, workspaces, ...transactions]),
    ...args.slice(1),
  ]);
  for (const transaction of early) {
    const at = 3 * transactions.indexOf(transaction);
    const [kind, frame] = outcomes.slice(at, at + 2);
    if (kind === 'committed') await redis.hset(ledgerOf(transaction), 'reply', frame);
    else await redis.hdel(ledgerOf(transaction), 'reply');
  }
  return outcomes;
};
