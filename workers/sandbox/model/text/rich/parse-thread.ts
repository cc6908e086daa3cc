import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { MessengerError } from '../../../../driver.ts';
import { type Markup, readMarkup } from './read-markup.ts';

/**
 * What a thread says: that it can begin, with the folder where Linux shows what it uses; or what came of a text: its blocks as JSON,
 * the messenger's error, or what went wrong.
 */
export type Said = { ready: string | null } | { blocks: string } | { refusal: string } | { failure: string };

// Behind all else: it gets what processor time is left, and a tenth of what there is where nothing is.
const NICENESS = 10;

const MARK = 'parses rich messages';

/** Starts a thread that reads one `Markup` it is sent after another, and can be ended whatever it is at. */
export function startParseThread(): Worker {
  const isSource = import.meta.url.endsWith('.ts');
  const thread = new Worker(isSource ? loadSource(import.meta.url) : new URL(import.meta.url), {
    eval: isSource,
    workerData: MARK,
    // Without what was loaded into the main thread before its own code.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
  });
  thread.unref();
  return thread;
}

// Only tests run the sources as they are, and a thread has to be taught to.
function loadSource(url: string): string {
  const loader = JSON.stringify('tsx/esm/api');
  return `import(${loader}).then(({ register }) => { register(); return import(${JSON.stringify(url)}); });`;
}

function read(markup: Markup): Said {
  try {
    return { blocks: JSON.stringify(readMarkup(markup)) };
  } catch (error) {
    if (error instanceof MessengerError) return { refusal: error.error };
    return { failure: String(error) };
  }
}

// Only Linux has priorities of threads.
function giveWay(): string | null {
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
  port.postMessage({ ready: giveWay() } satisfies Said);
}
