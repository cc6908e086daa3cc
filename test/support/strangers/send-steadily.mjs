// Sends one message after another at a steady pace, whatever becomes of them, and prints a JSON line for each:
// {"at": ms since the process began, "ms": until its answer, "status": 200, or 0 where the connection failed}.
// A process of its own: what a test does meanwhile must not be counted as the service's delay.
import { Agent, request } from 'node:http';

const { VICTIM_URL = '', VICTIM_KEY, VICTIM_BODY = '', VICTIM_EVERY_MS } = process.env;
const agent = new Agent({ keepAlive: process.env.VICTIM_KEEPS_CONNECTIONS === 'true' });
const headers = { authorization: `Bearer ${VICTIM_KEY}`, 'content-type': 'application/json' };
let number = 0;

function send() {
  const startedAt = performance.now();
  number += 1;
  /** @type {(status: number | undefined, body?: string) => void} */
  const report = (status, body = '') => {
    const ms = performance.now() - startedAt;
    process.stdout.write(
      `${JSON.stringify({ at: startedAt, ms, status, ...(status === 200 ? {} : { body }) })}\n`,
    );
  };
  const call = request(VICTIM_URL, { method: 'POST', agent, headers, timeout: 40_000 }, (answer) => {
    let body = '';
    answer.setEncoding('utf8');
    answer.on('data', (chunk) => {
      body += chunk;
    });
    answer.on('end', () => report(answer.statusCode, body));
    answer.on('error', (error) => report(0, String(error)));
  });
  call.on('timeout', () => call.destroy(new Error('no answer within 40 s')));
  call.on('error', (error) => report(0, String(error)));
  call.end(VICTIM_BODY.replace('%n', String(number)));
}

const timer = setInterval(send, Number(VICTIM_EVERY_MS));

// Told to stop it waits for the answers that are due.
process.on('message', () => {
  clearInterval(timer);
  // Later: Node still needs the channel for a message that came before this process listened.
  setImmediate(() => process.connected && process.disconnect());
});
process.on('disconnect', () => {
  clearInterval(timer);
  setTimeout(() => process.exit(0), 42_000).unref();
});
