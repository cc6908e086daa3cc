// @ts-check
import { Client } from 'switchboard/client';

const { API, KEY, WS, A, BOB } = process.env;
if (!API || !KEY || !WS || !A || !BOB) throw new Error('Paste "A first call" of README.md first.');
const workspace = new Client({ url: API, key: KEY, attempts: 3 }).workspace(WS);
const offset = await workspace.offset();

const { result, txid } = await workspace.account(A).messages.sendMessage({
  peer: { _: 'inputPeerUser', userId: Number(BOB), accessHash: '0' },
  message: 'Hello from a program',
});
console.log(result._, txid);

for await (const item of workspace.updates({ offset, kinds: ['RawUpdateNewMessage'] })) {
  console.log(item.kind, item.kind === 'stream.gap' ? item.to : item.txid);
  break;
}
