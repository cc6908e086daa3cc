import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, it, vi } from 'vitest';
import { StoppableThread } from '../../../workers/sandbox/model/text/rich/stoppable-thread.ts';

const folder = mkdtempSync(join(tmpdir(), 'switchboard-thread-'));
writeFileSync(join(folder, 'schedstat'), '0 0 0\n');

const workers: Worker[] = [];
let ready = '';

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all(workers.map((worker) => worker.terminate()));
});

// Uses some CPU time for each text.
const SOURCE = `
  const { parentPort, workerData } = require('node:worker_threads');
  parentPort.on('message', () => {
    const before = process.cpuUsage();
    while (process.cpuUsage(before).user < 2_000);
    parentPort.postMessage({ blocks: '{}' });
  });
  parentPort.postMessage({ ready: workerData });
`;

vi.mock(import('../../../workers/sandbox/model/text/rich/parse-thread.ts'), () => ({
  startParseThread: () => {
    const worker = new Worker(SOURCE, { eval: true, workerData: ready });
    workers.push(worker);
    return worker;
  },
}));

function processMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

it.each([
  ['no file', join(folder, 'none')],
  ['a file that says nothing', folder],
])(
  'charges a text what the process uses meanwhile, where the CPU time of threads has %s',
  async (_, path) => {
    ready = path;
    const thread = await StoppableThread.start(() => undefined);
    const markup = { source: 'x', isHtml: false, links: true, files: [] };
    for (let text = 1; text <= 2; text += 1) {
      const before = processMs();
      const { message, usedMs } = await thread.read(markup, 60_000);
      expect(message).toEqual({ blocks: '{}' });
      expect(usedMs).toBeGreaterThanOrEqual(1);
      expect(usedMs).toBeLessThanOrEqual(processMs() - before);
    }
  },
);
