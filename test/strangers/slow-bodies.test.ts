import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RawConnection } from '../support/http/raw-connection.ts';
import { Service } from '../support/service/service.ts';
import { Stranger } from '../support/strangers/stranger.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

const CONNECTIONS = 600;
const MiB = 1024 * 1024;

let service: Service;
let victim: Victim;
let stranger: Stranger;

beforeAll(async () => {
  service = await Service.start();
  victim = await Victim.create(service);
  stranger = await Stranger.create(service);
});
afterAll(() => service.stop());

it('holds little of bodies that come all but their last byte', async () => {
  const text = stranger.callText('messages.getHistory', { message: '' });
  const overhead = text.length - text.indexOf('\r\n\r\n') - 4;
  const unfinished = Buffer.from(
    stranger.callText('messages.getHistory', { message: 'x'.repeat(MiB - overhead) }).slice(0, -1),
  );
  const harm = await victim.during(async () => {
    const connections: RawConnection[] = [];
    for (let opened = 0; opened < CONNECTIONS; opened += 20) {
      const some = await Promise.all(Array.from({ length: 20 }, () => RawConnection.open(service.url)));
      connections.push(...some.map((connection) => connection.send(unfinished)));
      await sleep(100);
    }
    await sleep(3_000);
    return connections;
  });
  expectUnhurt(`${CONNECTIONS} bodies that do not end`, harm);
  const refused = await Promise.all(
    harm.result
      .map((connection) => connection.answers(1, 100).then(([answer]) => answer?.status))
      .map((status) => status.catch(() => 0)),
  );
  expect(refused.filter((status) => status === 503).length).toBeGreaterThan(CONNECTIONS - 40);
  for (const connection of harm.result) connection.close();
});
