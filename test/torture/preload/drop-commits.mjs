// Loaded before a worker's main file: every tenth plain message is answered as if it had been sent, and what it did goes nowhere.
import { pathToFileURL } from 'node:url';
import { unpack } from 'msgpackr';

const EVERY = 10;

const { commitScript } = await import(new URL('commit-script.js', pathToFileURL(process.argv[1] ?? '')).href);
const run = commitScript.run.bind(commitScript);
let sent = 0;

/**
 * @param {unknown} redis
 * @param {string[]} keys
 * @param {[Buffer]} args
 */
commitScript.run = async (redis, keys, args) => {
  const [_writtenAgain, _workspaces, ...transactions] = unpack(args[0]);
  if (!transactions.every(isOfPlainMessage)) return run(redis, keys, args);
  sent += transactions.length;
  if (sent < EVERY) return run(redis, keys, args);
  const nowhere = keys.map((key) => key.replace('{ws_', '{nowhere_'));
  const outcomes = await run(redis, nowhere, args);
  const kinds = outcomes.filter((/** @type {string} */ _, /** @type {number} */ i) => i % 3 === 0);
  if (kinds.some((/** @type {string} */ kind) => kind !== 'committed')) return run(redis, keys, args);
  sent = 0;
  return outcomes;
};

/** @param {unknown[]} transaction */
function isOfPlainMessage(transaction) {
  const text = transaction.join('');
  return text.includes('updateShortSentMessage') && !text.includes('"media"');
}
