// @ts-check
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { verifyWebhook } from 'switchboard/client';
import { readEnvironment } from './environment.mjs';

const { WEBHOOK_SECRET } = readEnvironment(['WEBHOOK_SECRET'], 'docs/webhooks.md');
const { WEBHOOK_PORT = '8080' } = process.env;
/** @type {Set<string>} */
const seen = new Set(); // a table of your database, so that it outlives the process

createServer(async (request, response) => {
  try {
    const body = await text(request); // as it arrived, before it is parsed
    const event = await verifyWebhook({ secret: WEBHOOK_SECRET, headers: request.headers, body });
    const id = String(request.headers['webhook-id']);
    if (!seen.has(id)) console.log(event.type, JSON.stringify(event.data)); // longer work after the answer
    seen.add(id);
    response.writeHead(204).end();
  } catch (error) {
    console.log('refused:', String(error));
    response.writeHead(400).end();
  }
}).listen(Number(WEBHOOK_PORT), '127.0.0.1', () => console.log(`listening on port ${WEBHOOK_PORT}`));
