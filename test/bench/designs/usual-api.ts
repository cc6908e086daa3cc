import { runProcess } from '../../../src/run-process.ts';
import { startDesignApi } from './start-design-api.ts';
import { openUsualGateway } from './usual-gateway.ts';

await runProcess('usual-api', (config, log) => startDesignApi(config, log, openUsualGateway));
