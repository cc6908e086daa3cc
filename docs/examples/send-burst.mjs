// @ts-check
import { Client } from 'switchboard/client';
import { readEnvironment } from './environment.mjs';

const { API, KEY, WS, A, BOB } = readEnvironment(['API', 'KEY', 'WS', 'A', 'BOB']);
const workspace = new Client({ url: API, key: KEY }).workspace(WS);
const { prepare } = workspace.account(A);

// A key of your own for each: run the program again, and nothing is sent twice.
const calls = Array.from({ length: 250 }, (_, order) =>
  prepare.messages.sendMessage(
    {
      peer: { _: 'inputPeerUser', userId: Number(BOB), accessHash: '0' },
      message: `Order ${order} is on its way.`,
    },
    { idempotencyKey: `order-${order}-shipped` },
  ),
);

// A hundred calls a request. What may pass, such as 429 and 503, is sent again by the client.
const outcomes = await workspace.bulk(calls);
const failed = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.error]));
console.log(`${outcomes.length - failed.length} sent, ${failed.length} failed`);
for (const { message, idempotencyKey } of failed) console.log(idempotencyKey, message);
