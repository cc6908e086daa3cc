// Puts small defects (mutants) into the code whose promises matter most and tells which of them no test notices.
//   npm run mutants                         a sample of 60 places of ledger, state and queue, another one each day
//   npm run mutants -- --places 200 --seed 7
//   npm run mutants -- src/ledger/claim.ts  every place of these files
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const FOLDERS = ['src/ledger', 'src/state', 'src/queue', 'src/async-calls'];
/** Lua is text to the tool. */
const SCRIPTS = /script\.ts$|\/scripts\//;
/** Lines that hold something to change. */
const CODE = /^\s*(?!\/\/|\/?\*|import |export \{|\}|\]|\)|log)\S.*[=<>!&|+?(]/;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { places: { type: 'string', default: '60' }, seed: { type: 'string', default: today() } },
});

const mutate = positionals.length > 0 ? positionals : samplePlaces(Number(values.places), values.seed);
console.log(`Seed ${values.seed}; ${mutate.length} places or files`);
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/@stryker-mutator/core/bin/stryker.js',
    'run',
    'test/mutants/stryker.config.json',
    '--mutate',
    mutate.join(','),
  ],
  { stdio: 'inherit' },
);
process.exitCode = status ?? 1;

function samplePlaces(/** @type {number} */ count, /** @type {string} */ seed) {
  const places = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
    .filter((file) => file.endsWith('.ts') && !SCRIPTS.test(file))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) => (CODE.test(line) ? [`${file}:${index + 1}-${index + 1}`] : [])),
    );
  const order = (/** @type {string} */ place) =>
    createHash('sha256').update(`${seed} ${place}`).digest('hex');
  return places
    .map((place) => ({ place, order: order(place) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .slice(0, count)
    .map(({ place }) => place);
}

function today() {
  return new Date().toISOString().slice(0, 10);
}
