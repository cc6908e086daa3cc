import { runConformanceTests } from '@durable-streams/server-conformance-tests';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { StreamServer } from './stream-server.ts';

/** Everything but what only writers have: forks, times to live and producers that repeat themselves. */
const CORE = /^(?!Fork|TTL|Idempotent Producer|.*(producer|Producer|dedup|TTL))/;

const options = { baseUrl: '' };
let server: StreamServer;

beforeAll(async () => {
  server = await StreamServer.start();
  options.baseUrl = server.url;
});

beforeEach(({ task, skip }) => {
  skip(!CORE.test(task.fullTestName), 'Production streams are not written over HTTP.');
});

afterAll(() => server.stop());

runConformanceTests(options);
