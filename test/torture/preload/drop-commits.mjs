// Loaded before a worker's main file: every tenth plain message is answered as if it had been sent, and what it did goes nowhere.
import { pathToFileURL } from 'node:url';

const EVERY = 10;

const [build] = /^.*\/dist\//.exec(pathToFileURL(process.argv[1] ?? '').href) ?? [];
const { commitScript } = await import(`${build}src/redis/scripts/commit.js`);
const run = commitScript.run.bind(commitScript);
let sent = 0;

/**
 * @param {unknown} redis
 * @param {string[]} keys
 * @param {[string]} args
 */
commitScript.run = async (redis, keys, args) => {
  const replies = JSON.parse(args[0]).map((/** @type {any[]} */ transaction) => transaction[6]);
  if (!replies.every(isOfPlainMessage)) return run(redis, keys, args);
  sent += replies.length;
  if (sent < EVERY) return run(redis, keys, args);
  const nowhere = keys.map((key) => key.replace('{ws_', '{nowhere_'));
  const outcomes = await run(redis, nowhere, args);
  if (outcomes.some((/** @type {string[]} */ [kind]) => kind !== 'committed')) return run(redis, keys, args);
  sent = 0;
  return outcomes;
};

/** @param {string | (string | number)[]} reply In pieces where values are to be filled in. */
function isOfPlainMessage(reply) {
  const text = Array.isArray(reply) ? reply.join('') : reply;
  return text.includes('updateShortSentMessage') && !text.includes('"media"');
}
