import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { KeyClaims } from '../../../src/api/limits/key-claims.ts';

const never = () => new Promise<never>(() => undefined);

it('runs few claims of an organization at once, and those of another beside them', async () => {
  const claims = new KeyClaims();
  let running = 0;
  let most = 0;
  let done = 0;
  const claim = async () => {
    running += 1;
    most = Math.max(most, running);
    await nextTurn();
    running -= 1;
    done += 1;
  };
  const all = Array.from({ length: 1_000 }, () => claims.run('busy', claim));
  expect(await claims.run('other', async () => done)).toBeLessThan(100);
  await Promise.all(all);
  expect(done).toBe(1_000);
  expect(most).toBe(32);
});

it('goes on while claims hang', async () => {
  const claims = new KeyClaims();
  for (let hanging = 0; hanging < 100; hanging += 1) void claims.run('one', never);
  const started = performance.now();
  expect(await claims.run('one', async () => 'claimed')).toBe('claimed');
  expect(performance.now() - started).toBeLessThan(5_000);
});

it('rejects as the claim does, and runs the next one', async () => {
  const claims = new KeyClaims();
  const failing = claims.run('one', () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(await claims.run('one', async () => 1)).toBe(1);
});
