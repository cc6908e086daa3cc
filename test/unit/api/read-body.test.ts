import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installJsonBody } from '../../../src/api/plugins/json-body.ts';
import { installProblems } from '../../../src/api/plugins/problems.ts';
import { MAX_BODY_BYTES } from '../../../src/api/server/read-body.ts';
import { openLogger } from '../../../src/logger.ts';
import { eventually } from '../../support/eventually.ts';
import { RawConnection } from '../../support/http/raw-connection.ts';

const FIRST = 64 * 1024;

let app: FastifyInstance;
let url: string;
const opened: RawConnection[] = [];

beforeEach(async () => {
  app = Fastify();
  installProblems(app, openLogger({ LOG_LEVEL: 'silent' }, 'test'));
  app.addHook('onRequest', async (request) => {
    const principal = { kind: 'key', organizationId: request.headers.organization };
    Object.assign(request, { principal });
  });
  installJsonBody(app, () => undefined);
  app.post('/', async ({ body }) => ({ length: (body as string).length }));
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  for (const connection of opened.splice(0)) connection.close();
  await app.close();
});

const body = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;

async function open(organization: string, length: string): Promise<RawConnection> {
  const connection = await RawConnection.open(url);
  opened.push(connection);
  const type = 'content-type: application/json';
  return connection.send(
    `POST / HTTP/1.1\r\nhost: a\r\n${type}\r\norganization: ${organization}\r\n${length}\r\n\r\n`,
  );
}

/** Sends the beginning of a body that says that it is 1 MiB long. */
async function begin(organization: string): Promise<RawConnection> {
  const connection = await open(organization, `content-length: ${MAX_BODY_BYTES}`);
  return connection.send(body(MAX_BODY_BYTES).slice(0, FIRST));
}

async function post(organization: string, bytes: number): Promise<number> {
  const connection = await open(organization, `content-length: ${bytes}`);
  const [answer] = await connection.send(body(bytes)).answers(1);
  return answer?.status ?? 0;
}

/** Waits until so many of the bodies that have begun are refused. */
async function refused(connections: RawConnection[], count: number): Promise<RawConnection[]> {
  return eventually(async () => {
    const answers = await Promise.all(connections.map((one) => one.answers(1, 1).catch(() => [])));
    const found = connections.filter((_, n) => answers[n]?.[0]?.status === 503);
    return found.length >= count ? found : undefined;
  });
}

test('an organization has half of all that is read at once, and another one sends on', async () => {
  const bodies: RawConnection[] = [];
  for (let n = 0; n < 40; n += 1) bodies.push(await begin('a'));
  const late = await refused(bodies, 8);
  expect(late).toHaveLength(8);
  const [answer] = (await late[0]?.answers(1)) ?? [];
  expect(JSON.parse(answer?.body ?? '').code).toBe('overloaded');
  expect(Number(answer?.headers['retry-after'])).toBeGreaterThan(0);
  expect(await post('a', MAX_BODY_BYTES)).toBe(503);
  expect(await post('a', 4_000)).toBe(200);
  expect(await post('b', MAX_BODY_BYTES)).toBe(200);

  const [first, ...others] = bodies.filter((one) => !late.includes(one));
  first?.send(body(MAX_BODY_BYTES).slice(FIRST));
  expect((await first?.answers(1))?.[0]?.status).toBe(200);
  for (const one of others) one.close();
  await eventually(async () => (await post('a', MAX_BODY_BYTES)) === 200);
});

test('what was held comes back after each end: whole, not JSON, cut off', async () => {
  // More than may be held at once, if one of them kept what it held.
  for (let n = 0; n < 40; n += 1) {
    const whole = await begin('a');
    whole.send(body(MAX_BODY_BYTES).slice(FIRST));
    const broken = await begin('a');
    broken.send('x'.repeat(MAX_BODY_BYTES - FIRST));
    (await begin('a')).close();
    expect((await whole.answers(1))[0]?.status).toBe(200);
    expect((await broken.answers(1))[0]?.status).toBe(400);
    for (const connection of opened.splice(0)) connection.close();
  }
});

test('a body that does not say how long it is counts as it comes', async () => {
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const whole = body(MAX_BODY_BYTES);
  const bodies: RawConnection[] = [];
  for (let n = 0; n < 40; n += 1)
    bodies.push(
      (await open('a', 'transfer-encoding: chunked')).send(chunk(whole.slice(0, MAX_BODY_BYTES - 1))),
    );
  expect(await refused(bodies, 8)).toHaveLength(8);
});
