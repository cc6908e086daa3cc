// @ts-check
import { stream } from '@durable-streams/client';
import { readEnvironment } from './environment.mjs';

const { API, KEY, WS } = readEnvironment(['API', 'KEY', 'WS']);
const { OFFSET = '-1' } = process.env;

// The reader of the output may go, as in `| head`.
process.stdout.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

const followed = await stream({
  url: `${API}/v1/workspaces/${WS}/updates`,
  headers: { authorization: `Bearer ${KEY}` },
  params: { kind: 'RawUpdateNewMessage' },
  offset: OFFSET,
  live: 'sse',
  json: true,
  warnOnHttp: false,
});
followed.subscribeJson((/** @type {{ items: readonly any[], offset: string }} */ { items, offset }) => {
  for (const { messengerAccountId, txid } of items) console.log(messengerAccountId, txid);
  console.log('go on from', offset); // store it
});
