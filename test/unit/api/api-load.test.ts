import { expect, it, vi } from 'vitest';
import { ApiLoad } from '../../../src/api/api-load.ts';
import { Metrics } from '../../../src/api/metrics.ts';
import { openLogger } from '../../../src/logger.ts';
import { Admission } from '../../../src/queue/submit/admission.ts';
import { NO_LOAD } from '../../support/api/no-load.ts';

it('tells apart what is refused for the share of its own organization', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const admission = new Admission({
    ...{ maxWaitMs: 1_000, timeoutMs: 30_000, inFlightMax: 100, bytesInFlightMax: 1_000_000 },
    log: openLogger({ LOG_LEVEL: 'silent' }, 'test'),
    queueConnection: { status: 'ready' },
    workers: { isMissing: false },
  });
  const load = new ApiLoad({ load: NO_LOAD, admission, waitingOf: () => 0 }, new Metrics());
  const owner = { workspaceId: 'w', organizationId: 'o' };
  for (let i = 0; i < 200; i += 1) admission.enter(owner, 1, false);
  vi.advanceTimersByTime(1_000);
  const { arrivalRate, ownRefusalRate = 0 } = load.figures();
  expect(Math.round((200 * ownRefusalRate) / arrivalRate)).toBe(200 - admission.inFlight);
  expect(admission.inFlight).toBeLessThan(100);
  admission.close();
  vi.useRealTimers();
});
