import { expect, test } from 'vitest';
import { follow, paste, start, stop, useCheckout } from '../support/service/npm-start.ts';

useCheckout();

test('every command it prints works as it stands', async () => {
  const started = await start();
  const [call, stream, list] = started.commands;

  const { result, txid } = await paste(call);
  expect(result?._).toMatch(/^update/);
  expect(txid).toBeGreaterThan(0);
  const shown = await follow(stream, `"txid":${txid}`);
  expect(shown).toContain('Hello from Switchboard');
  expect((await paste(list)).data?.[0]?.name).toBe('Demo');
  await stop(started);
});
