// Loaded before a worker's main file: commits neither look into the ledger nor write to it, so that a call that was taken back or has
// run before takes effect all the same.
import { pathToFileURL } from 'node:url';

const [build] = /^.*\/dist\//.exec(pathToFileURL(process.argv[1] ?? '').href) ?? [];
const { commitScript } = await import(`${build}src/redis/scripts/commit.js`);
const run = commitScript.run.bind(commitScript);
let commits = 0;

/**
 * @param {unknown} redis
 * @param {string[]} keys
 * @param {(string | number)[]} args
 */
commitScript.run = (redis, [ledger, ...keys], [_field, _claim, ...args]) => {
  commits += 1;
  return run(redis, [`${ledger}:nowhere`, ...keys], [`${process.pid}-${commits}`, '', ...args]);
};
