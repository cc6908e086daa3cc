import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished, test } from 'vitest';
import { openManagementClient } from '../../../src/launch/management-client.ts';
import { followScaling, type ScalingFigures } from '../../../src/launch/processes/follow-scaling.ts';
import { openLogger } from '../../../src/logger.ts';
import { eventually } from '../../support/eventually.ts';

test('workers are started although a read of the load was never answered', async () => {
  let reads = 0;
  const figures = { desiredWorkers: 2, arrivalRate: 1, busyShare: 1, oldestWaitMs: 0, workerList: [] };
  const server = createServer((_request, response) => {
    reads += 1;
    if (reads > 1) response.end(JSON.stringify(figures));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = openManagementClient(`http://127.0.0.1:${port}`, 'key');
  let count = 1;
  const following = followScaling({
    read: () => client.find<ScalingFigures>('scaling', { timeoutMs: 50 }),
    counts: { min: 1, max: 2 },
    workers: {
      get count() {
        return count;
      },
      pids: [],
      add: () => ++count,
      drain: () => --count,
    },
    log: openLogger({ LOG_LEVEL: 'error' }, 'test', { write: () => undefined }),
  });
  onTestFinished(async () => {
    await following.stop();
    server.closeAllConnections();
    server.close();
  });
  await eventually(() => count === 2);
});
