import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RawConnection } from '../support/http/raw-connection.ts';
import { Service } from '../support/service/service.ts';
import { Stranger } from '../support/strangers/stranger.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

// Each takes a file descriptor here and one in the API process: with a limit (ulimit -n) below 21,000 there are fewer.
const IDLE = 19_000;

let service: Service;
let victim: Victim;
let stranger: Stranger;

beforeAll(async () => {
  service = await Service.start();
  victim = await Victim.create(service);
  stranger = await Stranger.create(service);
});
afterAll(() => service.stop());

it('serves others while one connection asks 2,000 things in one write', async () => {
  const { workspaceId } = stranger.account;
  const texts = [
    stranger.requestText(`GET /v1/workspaces/${workspaceId}/updates?offset=-1`),
    stranger.requestText('GET /v1/methods'),
    stranger.callText('help.getNearestDc', {}),
    stranger.requestText('GET /v1/nothing'),
  ];
  const harm = await victim.during(async () => {
    const connections = await Promise.all(texts.map(() => RawConnection.open(service.url)));
    for (const [place, connection] of connections.entries())
      connection.ignoreAnswers().send((texts[place] as string).repeat(2_000));
    await sleep(8_000);
    for (const connection of connections) connection.close();
  });
  expectUnhurt('4 connections with 2,000 pipelined requests', harm);
});

it('serves others while thousands of connections ask nothing', async () => {
  const harm = await victim.during(async () => {
    const idle: RawConnection[] = [];
    for (let opened = 0; opened < IDLE; opened += 100) {
      const some = await Promise.allSettled(
        Array.from({ length: 100 }, () => RawConnection.open(service.url)),
      );
      idle.push(...some.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
      // No more file descriptors.
      if (some.some(({ status }) => status === 'rejected')) break;
      await sleep(20);
    }
    await sleep(2_000);
    const open = idle.filter(({ isOver }) => !isOver).length;
    for (const connection of idle) connection.close();
    return open;
  });
  process.stderr.write(`${harm.result} idle connections\n`);
  expect(harm.result).toBeGreaterThan(500);
  expectUnhurt('idle connections', harm);
});
