import { afterEach, expect, it } from 'vitest';
import { openLogger } from '../../../src/logger.ts';
import { LoneProcesses } from '../../../workers/async-calls/lone-processes.ts';

const { execPath } = process;
const place = { workspaceId: 'ws_1', callId: 'call_1', accountId: 'acc_1' };
const tenant = { organizationId: 'org_1', workspaceId: 'ws_1', weight: 1 };

afterEach(() => {
  process.execPath = execPath;
});

it('gives its permit back where no process can be started', async () => {
  const lone = new LoneProcesses(openLogger({ LOG_LEVEL: 'silent' }, 'test'));
  process.execPath = '/nowhere/node';
  for (const _ of [1, 2, 3]) expect(await lone.run(place, tenant, async () => true)).toBeNull();
  // Were a permit missing, this would wait for it beyond the end of the test.
  await lone.close(600_000);
});
