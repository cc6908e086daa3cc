import { afterAll, beforeAll, it } from 'vitest';
import { RawConnection } from '../support/http/raw-connection.ts';
import { Service } from '../support/service/service.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

let service: Service;
let victim: Victim;

beforeAll(async () => {
  service = await Service.start();
  victim = await Victim.create(service);
});

afterAll(() => service.stop());

it('answers many pipelined readiness probes without a key beside a tenant that sends', async () => {
  const harm = await victim.during(async () => {
    const connection = await RawConnection.open(service.url);
    connection.send('GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(10_000));
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    connection.close();
  });
  expectUnhurt('pipelined /readyz', harm);
});
