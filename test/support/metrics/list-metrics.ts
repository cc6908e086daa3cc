import { Registry } from 'prom-client';
import type { ApiDeps } from '../../../src/api/deps.ts';
import { addFleetGauges } from '../../../src/api/fleet-gauges.ts';
import { Metrics } from '../../../src/api/metrics.ts';
import { openLogger } from '../../../src/logger.ts';
import { countDataLosses } from '../../../src/metrics/data-losses.ts';
import { ProcessMetrics } from '../../../src/metrics/process-metrics.ts';
import { AsyncMetrics } from '../../../workers/async-calls/async-metrics.ts';
import { CallLog } from '../../../workers/call-log.ts';
import { DeliveryMetrics } from '../../../workers/delivery/delivery-metrics.ts';
import { RunMetrics } from '../../../workers/run-metrics.ts';

/** A metric that a process exposes. */
export interface ExposedMetric {
  name: string;
  type: string;
  help: string;
  labels: string[];
  /** Which processes expose it. */
  of: ('API' | 'worker')[];
}

/** Every metric there is, by the code that registers it. */
export function listMetrics(): ExposedMetric[] {
  const found = new Map<string, ExposedMetric>();
  for (const [of, registry] of [
    ['API', apiRegistry()],
    ['worker', workerRegistry()],
  ] as const) {
    for (const metric of registry.getMetricsAsArray() as unknown as Registered[]) {
      const { name, help, labelNames } = metric;
      const known = found.get(name);
      if (known !== undefined) known.of.push(of);
      else
        found.set(name, {
          name,
          type: metric.constructor.name.toLowerCase(),
          help,
          labels: [...labelNames],
          of: [of],
        });
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface Registered {
  name: string;
  help: string;
  labelNames: string[];
}

// Nothing is collected, so nothing is asked of what they watch.
function apiRegistry(): Registry {
  const metrics = new Metrics();
  metrics.addLoad({} as ApiDeps['calls']);
  addFleetGauges(metrics.registry, {} as ApiDeps);
  return metrics.registry;
}

function workerRegistry(): Registry {
  const registry = new Registry();
  new ProcessMetrics(registry);
  countDataLosses(registry, { losses: 0 });
  new RunMetrics(registry).watch({} as never, {} as never, {} as never, {} as never);
  new CallLog(openLogger({ LOG_LEVEL: 'silent' }, 'test'), { SLOW_CALL_MS: 1_000 }, registry).stop();
  new AsyncMetrics(registry);
  new DeliveryMetrics(registry);
  return registry;
}
