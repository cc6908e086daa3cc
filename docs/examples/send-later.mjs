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
const open = new Set(accepted.flatMap((outcome) => (outcome.ok ? [outcome.call.id] : [])));
console.log(`${open.size} accepted`);

// Each call reports its end on the update stream, once.
for await (const item of workspace.updates({ offset, kinds: ['call.succeeded', 'call.failed'] })) {
  if (item.kind === 'stream.gap') continue;
  if (open.delete(item.update.callId)) console.log(item.kind, item.txid);
  if (open.size === 0) break;
}
