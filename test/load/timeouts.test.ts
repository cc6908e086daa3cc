import { afterAll, beforeAll, expect, it } from 'vitest';
import { RawConnection } from '../support/http/raw-connection.ts';
import { Service } from '../support/service/service.ts';

// Times are looked at every 5 s, and a busy machine adds its own.
const LATE_MS = 15_000;

let service: Service;
beforeAll(async () => {
  service = await Service.start({ workers: 0, env: { CALL_TIMEOUT_MS: '1000' } });
});
afterAll(() => service.stop());

/** After how long a connection that says just this is over, and the status of its last answer. */
async function fateOf(text: string): Promise<{ ms: number; status: number | undefined }> {
  const startedAt = performance.now();
  const connection = await RawConnection.open(service.url);
  if (text !== '') connection.send(text);
  const answers = await connection.untilOver(110_000);
  return { ms: performance.now() - startedAt, status: answers.at(-1)?.status };
}

function expectWithin(ms: number, least: number): void {
  expect(ms).toBeGreaterThan(least - 1_000);
  expect(ms).toBeLessThan(least + LATE_MS);
}

it('ends connections that keep it waiting', async () => {
  const start = `POST /v1/organizations HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.rootKey}\r\n`;
  const [nothing, headers, body, kept] = await Promise.all([
    fateOf(''),
    fateOf(start),
    fateOf(`${start}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{`),
    fateOf('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n'),
  ]);
  expect([nothing.status, headers.status, body.status, kept.status]).toEqual([undefined, 408, 408, 200]);
  expectWithin(nothing.ms, 15_000);
  expectWithin(headers.ms, 15_000);
  expectWithin(body.ms, 30_000);
  expectWithin(kept.ms, 72_000);
});
