// @ts-check
import { readFile, rename, writeFile } from 'node:fs/promises';
import { Client } from 'switchboard/client';
import { readEnvironment } from './environment.mjs';

const { API, KEY, WS } = readEnvironment(['API', 'KEY', 'WS']);
const { OFFSET_FILE = 'offset.txt' } = process.env;
const workspace = new Client({ url: API, key: KEY }).workspace(WS);

// The reader of the output may go, as in `| head`.
process.stdout.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

// By another file, so that it is never half written.
const store = async (/** @type {string} */ offset) => {
  await writeFile(`${OFFSET_FILE}.new`, offset);
  await rename(`${OFFSET_FILE}.new`, OFFSET_FILE);
};

// It goes on where it was stopped; the first time, at the beginning. What the filter leaves out is passed, too.
const offset = (await readFile(OFFSET_FILE, 'utf8').catch(() => '-1')).trim();
for await (const item of workspace.updates({ offset, kinds: ['RawUpdateNewMessage'], onOffset: store })) {
  if (item.kind === 'stream.gap') {
    console.log(`Updates up to ${item.to} are gone: read the state again, such as by messages.getHistory.`);
    continue;
  }
  const { message } = item.update;
  console.log(item.messengerAccountId, message._ === 'message' ? message.message : message._);
  // After the work, so that nothing is skipped.
  await store(item.offset);
}
