// Loaded before a worker's main file: commits neither look into the ledger nor write to it, so that a call that was taken back or
// has run before takes effect all the same.
import { pathToFileURL } from 'node:url';
import { pack, unpack } from 'msgpackr';

const { commitScript } = await import(new URL('commit-script.js', pathToFileURL(process.argv[1] ?? '')).href);
const run = commitScript.run.bind(commitScript);
let commits = 0;

/**
 * @param {unknown} redis
 * @param {string[]} keys
 * @param {[Buffer, ...unknown[]]} args
 */
commitScript.run = (redis, keys, [message, ...others]) => {
  const elsewhere = [...keys];
  const [writtenAgain, workspaces, ...transactions] = unpack(message);
  const changed = transactions.map((/** @type {any[]} */ [_field, _claim, ...rest]) => {
    const ledger = rest[7] - 1;
    elsewhere[ledger] = `${keys[ledger]}:nowhere`;
    commits += 1;
    return [`${process.pid}-${commits}`, '', ...rest];
  });
  return run(redis, elsewhere, [pack([writtenAgain, workspaces, ...changed]), ...others]);
};
