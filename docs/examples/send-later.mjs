// @ts-check
import { Client } from 'switchboard/client';
import { readEnvironment } from './environment.mjs';

const { API, KEY, WS, A, BOB } = readEnvironment(['API', 'KEY', 'WS', 'A', 'BOB']);
const workspace = new Client({ url: API, key: KEY }).workspace(WS);
const { prepare } = workspace.account(A);

const offset = await workspace.offset();
const accepted = await workspace.asyncBulk(
  ['one', 'two', 'three'].map((message) =>
    prepare.messages.sendMessage({
      peer: { _: 'inputPeerUser', userId: Number(BOB), accessHash: '0' },
      message,
    }),
  ),
);
const calls = accepted.flatMap((outcome) => (outcome.ok ? [outcome.call] : []));
console.log(`${calls.length} accepted`);
for (const outcome of accepted) if (!outcome.ok) console.log(outcome.error.message);
if (calls.length === 0) process.exit(1);

// Each call reports its end on the update stream, once.
const open = new Set(calls.map(({ id }) => id));
for await (const item of workspace.updates({ offset, kinds: ['call.succeeded', 'call.failed'] })) {
  if (item.kind === 'stream.gap') {
    // Calls may have ended in it.
    for (const call of calls) {
      const { status, finishedAt, txid } = await call.status();
      if (finishedAt !== null && open.delete(call.id)) console.log(`call.${status}`, txid);
    }
  } else if (open.delete(item.update.callId)) console.log(item.kind, item.txid);
  if (open.size === 0) break;
}
