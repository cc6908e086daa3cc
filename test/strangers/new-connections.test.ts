import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Service } from '../support/service/service.ts';
import { Crowd } from '../support/strangers/crowd.ts';
import { repeat } from '../support/strangers/repeat.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

const run = promisify(execFile);

const CONNECTIONS = 500;
const OPENED_AT_ONCE = 100;
const EACH = 16;
const ASKING = 1_500;
const PROBES = 10;
const STAY_MS = 1_000;

let service: Service;
let victim: Victim;

beforeAll(async () => {
  service = await Service.start();
  victim = await Victim.create(service, { keepsConnections: false });
});
afterAll(() => service.stop());

it('takes new connections of others while bursts of them come without a key, each with many requests', async () => {
  const text = 'GET /v1/nothing HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(EACH);
  const harm = await victim.during(() =>
    repeat(async () => {
      const crowd = new Crowd();
      for (let opened = 0; opened < CONNECTIONS; opened += OPENED_AT_ONCE)
        await Promise.all(Array.from({ length: OPENED_AT_ONCE }, () => crowd.send(service.url, text)));
      await sleep(STAY_MS);
      crowd.leave();
      return crowd.bytes;
    }),
  );
  expectUnhurt(`bursts of ${CONNECTIONS} new connections`, harm);
  expect(Math.min(...harm.result)).toBeGreaterThan(0);
});

it('answers probes at once while many without a key ask for large documents', async () => {
  const crowd = new Crowd();
  const text = 'GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(EACH);
  for (let opened = 0; opened < ASKING; opened += OPENED_AT_ONCE)
    await Promise.all(Array.from({ length: OPENED_AT_ONCE }, () => crowd.send(service.url, text)));
  const times = await probe(`${service.url}/livez`);
  crowd.leave();
  expect(times.toSorted((a, b) => a - b)[PROBES / 2], 'answered in ms').toBeLessThan(300);
});

// This process is busy with what the crowd is answered.
const PROBING = `
const { get } = require('node:http');
const ask = (url) => new Promise((resolve, reject) => {
  const startedAt = performance.now();
  get(url, { agent: false }, (response) => response.resume().on('end', () => resolve(performance.now() - startedAt))).on('error', reject);
});
(async () => {
  const times = [];
  while (times.length < ${PROBES}) times.push(await ask(process.argv[1]));
  console.log(JSON.stringify(times));
})();
`;

/** How long each of some requests takes, in ms. Each has a new connection. */
async function probe(url: string): Promise<number[]> {
  const { stdout } = await run(process.execPath, ['-e', PROBING, url]);
  return JSON.parse(stdout) as number[];
}
