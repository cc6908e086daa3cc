import { runProcess } from '../../../src/run-process.ts';
import { openNoQueueGateway } from './no-queue-gateway.ts';
import { startDesignApi } from './start-design-api.ts';

await runProcess('no-queue-api', (config, log) => startDesignApi(config, log, openNoQueueGateway));
