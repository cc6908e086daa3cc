import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { MessengerError } from '../../../../driver.ts';
import type { Markup } from './markup.ts';
import { readMarkup } from './read-markup.ts';

/**
 * A message of a thread: that it is ready, with the folder in which Linux shows its CPU time; or the result for a text: its blocks as JSON,
 * the messenger's error, or an unexpected failure.
 */
export type ThreadMessage =
  | { ready: string | null }
  | { blocks: string }
  | { refusal: string }
  | { failure: string };

// The lowest useful priority: it gets idle CPU time, or about a tenth if the CPU is busy.
const NICENESS = 10;

const MARK = 'parses rich messages';

/** Starts a thread that parses each `Markup` that it is sent, and that can be terminated at any moment. */
export function startParseThread(): Worker {
  const isSource = import.meta.url.endsWith('.ts');
  const thread = new Worker(isSource ? loadSource(import.meta.url) : new URL(import.meta.url), {
    eval: isSource,
    workerData: MARK,
    // Without modules that are preloaded into the main thread.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
  });
  thread.unref();
  return thread;
}

// Only tests run the TypeScript sources directly; a thread needs the loader for that.
function loadSource(url: string): string {
  const loader = JSON.stringify('tsx/esm/api');
  return `import(${loader}).then(({ register }) => { register(); return import(${JSON.stringify(url)}); });`;
}

function read(markup: Markup): ThreadMessage {
  try {
    return { blocks: JSON.stringify(readMarkup(markup)) };
  } catch (error) {
    if (error instanceof MessengerError) return { refusal: error.error };
    return { failure: String(error) };
  }
}

// Only Linux has thread priorities.
function lowerPriority(): string | null {
  try {
    const folder = readlinkSync('/proc/thread-self');
    setPriority(Number(folder.slice(folder.lastIndexOf('/') + 1)), NICENESS);
    return `/proc/${folder}`;
  } catch {
    return null;
  }
}

if (!isMainThread && workerData === MARK) {
  const port = parentPort as NonNullable<typeof parentPort>;
  port.on('message', (markup: Markup) => port.postMessage(read(markup)));
  port.postMessage({ ready: lowerPriority() } satisfies ThreadMessage);
}
