import { runProcess } from '../../../src/run-process.ts';
import { openGroupmqGateway } from './groupmq-gateway.ts';
import { startDesignApi } from './start-design-api.ts';

await runProcess('groupmq-api', (config, log) => startDesignApi(config, log, openGroupmqGateway));
