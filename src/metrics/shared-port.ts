import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';

const ASK = 'switchboard:ask-metrics';
const ANSWER = 'switchboard:metrics';

interface Message {
  type?: string;
  text?: string | null;
}

/** In the process that shares out a port: lets each process behind it ask for the metrics of all. */
export function shareMetrics(): void {
  const all = new AggregatorRegistry();
  cluster.on('message', async (worker, { type }: Message) => {
    if (type !== ASK) return;
    const text = await all.clusterMetrics().catch(() => null);
    if (worker.isConnected()) worker.send({ type: ANSWER, text } satisfies Message);
  });
}

/**
 * Gives the function that collects the metrics of a process as text. Which of those that share a port is asked, nobody can choose: so each
 * gives the metrics of all, with the number of the process as the label `process`, or its own if another does not answer.
 */
export function collectOfAll(registry: Registry): () => Promise<string> {
  if (!cluster.isWorker) return () => registry.metrics();
  registry.setDefaultLabels({ process: process.argv[2] ?? '' });
  // It listens for what the other process asks.
  new AggregatorRegistry();
  AggregatorRegistry.setRegistries(registry);
  return async () => (await askForAll()) ?? (await registry.metrics());
}

function askForAll(): Promise<string | null> {
  return new Promise((resolve) => {
    const hear = ({ type, text = null }: Message) => {
      if (type !== ANSWER) return;
      process.off('message', hear);
      resolve(text);
    };
    process.on('message', hear);
    process.send?.({ type: ASK } satisfies Message);
  });
}
