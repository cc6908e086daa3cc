import { PassThrough } from 'node:stream';
import { setImmediate as tick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { forwardLines } from '../../../src/launch/processes/forward-lines.ts';

function collect(): { to: PassThrough; chunks: string[] } {
  const to = new PassThrough();
  const chunks: string[] = [];
  to.on('data', (chunk) => chunks.push(String(chunk)));
  return { to, chunks };
}

test('passes on whole lines only, and the rest at the end', async () => {
  const { to, chunks } = collect();
  const from = new PassThrough();
  forwardLines(from, to, Promise.resolve());
  await tick();
  for (const chunk of ['one\ntw', 'o', '\nthree\n', 'four']) {
    from.write(chunk);
    await tick();
  }
  expect(chunks).toEqual(['one\n', 'two\nthree\n']);
  from.end();
  await tick();
  expect(chunks.join('')).toBe('one\ntwo\nthree\nfour');
});

test('holds everything back until it may start', async () => {
  const { to, chunks } = collect();
  const from = new PassThrough();
  let start = () => {};
  const mayStart = new Promise<void>((resolve) => {
    start = resolve;
  });
  forwardLines(from, to, mayStart);
  from.write('early\n');
  await tick();
  expect(chunks).toEqual([]);
  start();
  await tick();
  await tick();
  expect(chunks).toEqual(['early\n']);
});

test('reads no faster than it can pass on', async () => {
  const to = new PassThrough({ highWaterMark: 10 });
  const from = new PassThrough();
  forwardLines(from, to, Promise.resolve());
  await tick();
  from.write(`${'x'.repeat(100)}\n`);
  await tick();
  expect(from.isPaused()).toBe(true);
  to.resume();
  await tick();
  await tick();
  expect(from.isPaused()).toBe(false);
});
