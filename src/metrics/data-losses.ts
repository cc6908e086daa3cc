import { Counter, type Registry } from 'prom-client';

/**
 * Counts the losses of Redis' data that a process has noticed. Workers do so too: the key with which Prometheus reads the metrics of API
 * processes may be among what was lost, and those of workers need none.
 */
export function countDataLosses(registry: Registry, data: { readonly losses: number }): void {
  new Counter({
    name: 'switchboard_redis_data_lost_total',
    help: 'Losses of Redis data.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(data.losses);
    },
  });
}
