import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { RawConnection } from '../support/http/raw-connection.ts';
import { Service } from '../support/service/service.ts';

const MOST = 50;

let service: Service;

beforeAll(async () => {
  service = await Service.start({ workers: 0, env: { CONNECTIONS_MAX: String(MOST) } });
});
afterAll(() => service.stop());

test('connections beyond the most are closed as they come, and those before them go on', async () => {
  const url = service.url;
  const held = await Promise.all(Array.from({ length: MOST }, () => RawConnection.open(url)));
  const beyond = await Promise.all(Array.from({ length: MOST }, () => RawConnection.open(url)));
  await eventually(() => beyond.every((connection) => connection.isOver));
  const request = 'GET /livez HTTP/1.1\r\nhost: x\r\n\r\n';
  for (const connection of held) expect((await connection.send(request).answers(1))[0]?.status).toBe(200);
  for (const connection of [...held, ...beyond]) connection.close();
  await eventually(async () => {
    const again = await RawConnection.open(url);
    const [answer] = await again
      .send(request)
      .answers(1, 500)
      .catch(() => []);
    again.close();
    return answer?.status === 200;
  });
});

test('who sends headers or a body too slowly is told so, and does not keep others from being answered', async () => {
  const url = service.url;
  const half = 'POST /v1/organizations HTTP/1.1\r\nhost: x\r\n';
  const slow = await Promise.all(Array.from({ length: MOST / 2 }, () => RawConnection.open(url)));
  for (const connection of slow) connection.send(half);
  const trickle = setInterval(() => {
    for (const connection of slow) if (!connection.closed) connection.send('x: y\r\n');
  }, 500);
  expect((await service.request('GET', '/livez')).status).toBe(200);
  for (const connection of slow) {
    const [answer] = await connection.untilOver(60_000);
    expect(answer?.status).toBe(408);
  }
  clearInterval(trickle);
});
