import { EventEmitter } from 'node:events';
import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { ChangeGate } from '../../../src/api/limits/change-gate.ts';

const WAITING = 100;
const workspace = { id: 'ws_1' };

function aRequest(keyId: string): FastifyRequest {
  const principal = keyId === 'root' ? { kind: 'root' } : { kind: 'key', organizationId: 'org_1', keyId };
  return { principal, raw: { socket: new EventEmitter() } } as unknown as FastifyRequest;
}

test('changes of a record by one key take turns, a hundred wait, and nobody else waits for them', async () => {
  const gate = new ChangeGate();
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let running = 0;
  const change = async () => {
    running += 1;
    expect(running).toBe(1);
    await opened;
    running -= 1;
  };
  const send = () => gate.run(aRequest('key_1'), workspace, change);
  const sent = Array.from({ length: 1 + WAITING }, send);
  await expect(send()).rejects.toMatchObject({ code: 'rate_limited' });
  const other = { ...workspace, id: 'ws_2' };
  expect(await gate.run(aRequest('key_1'), other, async () => 'another record')).toBe('another record');
  expect(await gate.run(aRequest('key_2'), workspace, async () => 'another key')).toBe('another key');
  expect(await gate.run(aRequest('root'), workspace, async () => 'root')).toBe('root');
  open();
  await Promise.all(sent);
});
