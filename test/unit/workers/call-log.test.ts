import { Registry } from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';
import { openLogger } from '../../../src/logger.ts';
import type { WireCall } from '../../../src/queue/wire.ts';
import { CallLog } from '../../../workers/call-log.ts';

it('counts no time below zero when the clock of Redis was set back', async () => {
  const registry = new Registry();
  const log = new CallLog(openLogger({ LOG_LEVEL: 'silent' }, 'test'), { SLOW_CALL_MS: 1_000 }, registry);
  onTestFinished(() => log.stop());
  const outcome = { frame: '', status: 200, txid: '1', error: null };
  log.record({ acceptedAt: 5_000 } as WireCall, outcome, 4_000, 3_000);
  const text = await registry.metrics();
  expect(text).toContain('switchboard_call_run_seconds_sum 0\n');
  expect(text).toContain('switchboard_call_queue_wait_seconds_sum 0\n');
});
