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
 * @param {(string | number)[]} args
 */
commitScript.run = async (redis, keys, args) => {
  if (!isPlainMessage(args)) return run(redis, keys, args);
  sent += 1;
  if (sent < EVERY) return run(redis, keys, args);
  const nowhere = keys.map((key) => key.replace('{ws_', '{nowhere_'));
  const answer = await run(redis, nowhere, args);
  if (answer[0] !== 'committed') return run(redis, keys, args);
  sent = 0;
  return answer;
};

/** @param {(string | number)[]} args */
function isPlainMessage(args) {
  return args.some(
    (arg) => String(arg).includes('updateShortSentMessage') && !String(arg).includes('"media"'),
  );
}
