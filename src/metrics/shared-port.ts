import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type MetricObject, type Registry } from 'prom-client';

const ASK = 'switchboard:ask-metrics';
const ANSWER = 'switchboard:metrics';
const ASK_ONE = 'switchboard:ask-own-metrics';
const ANSWER_OF_ONE = 'switchboard:own-metrics';

// A process that hangs must not prevent the metrics of the others. One that waits for Redis does not hang: it gives up after two seconds.
const COLLECT_TIMEOUT_MS = 3_000;

interface Message {
  type?: string;
  text?: string | null;
  metrics?: MetricObject[] | null;
}

/** In the supervisor of a shared port: lets each process behind it collect the metrics of all. */
export function shareMetrics(): void {
  const listening = new Set<Worker>();
  cluster.on('listening', (worker) => listening.add(worker));
  cluster.on('exit', (worker) => listening.delete(worker));
  let collecting: Promise<string | null> | null = null;
  cluster.on('message', async (worker, { type }: Message) => {
    if (type !== ASK) return;
    collecting ??= collect([...listening]).finally(() => {
      collecting = null;
    });
    const text = await collecting.catch(() => null);
    if (worker.isConnected()) worker.send({ type: ANSWER, text } satisfies Message);
  });
}

/**
 * Returns the function that collects metrics as text. A scraper cannot choose which process behind a shared port answers. So each process
 * returns the metrics of all that respond, with the number of the process as the label `process`.
 */
export function collectOfAll(registry: Registry): () => Promise<string> {
  if (!cluster.isWorker) return () => registry.metrics();
  registry.setDefaultLabels({ process: process.argv[2] ?? '' });
  process.on('message', async ({ type }: Message) => {
    if (type !== ASK_ONE) return;
    const metrics = (await registry.getMetricsAsJSON().catch(() => null)) as MetricObject[] | null;
    tellSupervisor({ type: ANSWER_OF_ONE, metrics });
  });
  return async () => (await askForAll()) ?? (await registry.metrics());
}

async function collect(workers: Worker[]): Promise<string | null> {
  const answers = await Promise.all(workers.map(askOne));
  const metrics = answers.filter((answer) => answer !== null);
  return metrics.length === 0 ? null : AggregatorRegistry.aggregate(metrics).metrics();
}

function askOne(worker: Worker): Promise<MetricObject[] | null> {
  return new Promise((resolve) => {
    const end = (metrics: MetricObject[] | null) => {
      clearTimeout(timer);
      worker.off('message', hear);
      resolve(metrics);
    };
    const hear = ({ type, metrics = null }: Message) => {
      if (type === ANSWER_OF_ONE) end(metrics);
    };
    const timer = setTimeout(() => end(null), COLLECT_TIMEOUT_MS);
    worker.on('message', hear);
    if (worker.isConnected()) worker.send({ type: ASK_ONE } satisfies Message);
    else end(null);
  });
}

// Null once the supervisor is gone, too.
function askForAll(): Promise<string | null> {
  return new Promise((resolve) => {
    if (!process.connected) return resolve(null);
    const end = (text: string | null) => {
      process.off('message', hear);
      process.off('disconnect', lose);
      resolve(text);
    };
    const hear = ({ type, text = null }: Message) => {
      if (type === ANSWER) end(text);
    };
    const lose = () => end(null);
    process.on('message', hear);
    process.on('disconnect', lose);
    tellSupervisor({ type: ASK });
  });
}

// Without a callback, a message to a supervisor that has just died would end this process: it hears of the loss later.
function tellSupervisor(message: Message): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
