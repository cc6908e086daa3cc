import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { RawConnection } from '../support/http/raw-connection.ts';
import { Service } from '../support/service/service.ts';
import { Stranger } from '../support/strangers/stranger.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

const MiB = 1024 * 1024;

let service: Service;
let victim: Victim;
let stranger: Stranger;
let wholeFile: Record<string, unknown>;
let reader: Stranger;
let readersFile: Record<string, unknown>;

beforeAll(async () => {
  service = await Service.start();
  victim = await Victim.create(service);
  stranger = await Stranger.create(service);
  wholeFile = await stranger.uploadFile();
  reader = await Stranger.create(service);
  readersFile = await reader.uploadFile();
});
afterAll(() => service.stop());

/**
 * Attacks, and waits until what the attack has left in memory is gone though its connections stay open. Meanwhile another tenant reads:
 * V8 frees old garbage only when new objects need room, and an idle process may keep more than a hundred MiB of it.
 */
async function hurtLittle(name: string, attack: () => Promise<RawConnection[]>): Promise<void> {
  const before = victim.apiMemory();
  const harm = await victim.during(async () => {
    const connections = await attack();
    await sleep(8_000);
    return connections;
  });
  expectUnhurt(name, harm);
  const startedAt = performance.now();
  const isBack = async () => {
    await service.result(reader.account, 'upload.getFile', readersFile);
    return victim.apiMemory() < before + 100 * MiB;
  };
  await eventually(isBack, { timeoutMs: 60_000, everyMs: 50 });
  process.stderr.write(`${name}: back after ${((performance.now() - startedAt) / 1_000).toFixed(0)} s\n`);
  for (const connection of harm.result) connection.close();
}

it('holds few of the large answers that nobody takes', async () => {
  await hurtLittle('24 unread bulks', () =>
    stranger.openUnread(24, stranger.bulkText(100, 'upload.getFile', wholeFile)),
  );
});

it('serves others while many read large answers a few bytes at a time', async () => {
  await hurtLittle('1,000 slow readers', async () => {
    const connections: RawConnection[] = [];
    const text = stranger.callText('upload.getFile', wholeFile);
    for (let opened = 0; opened < 1_000; opened += 20) {
      connections.push(...(await stranger.openUnread(20, text)));
      await sleep(100);
    }
    const trickle = setInterval(() => {
      for (const { socket } of connections) socket.read(100);
    }, 500);
    setTimeout(() => clearInterval(trickle), 30_000).unref();
    return connections;
  });
  expect((await service.request('GET', '/livez')).status).toBe(200);
});
