import { runProcess } from '../src/run-process.ts';
import { startWorker } from './start-worker.ts';

await runProcess('worker', startWorker);
