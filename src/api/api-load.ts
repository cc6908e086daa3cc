import type { ApiFigures } from '../fleet/figures.ts';
import { HEAVIEST } from '../fleet/scaling-report.ts';
import { SmoothRate } from '../fleet/smooth-rate.ts';
import type { CallGateway } from '../queue/submit/call-gateway.ts';
import { VERSION } from '../version.ts';
import type { Metrics } from './metrics.ts';

/** The load of this process's call path, which it publishes once a second. */
export class ApiLoad {
  private readonly calls: Calls;
  private readonly ended: Ended;
  private readonly arrivals = new SmoothRate();
  private readonly rates = new Map<string, SmoothRate>();
  private toldAt = performance.now();
  private readonly answers = new SmoothRate();

  constructor(calls: Calls, ended: Ended) {
    this.calls = calls;
    this.ended = ended;
  }

  /** Call it once a second. */
  figures(): ApiFigures {
    const { load, admission } = this.calls;
    const { usage } = admission;
    const refusals = this.ratesOf('refusals', admission.refusals);
    const outcomes = this.ratesOf('outcomes', this.ended.outcomes);
    this.toldAt = performance.now();
    return {
      kind: 'api',
      version: VERSION,
      arrivalRate: this.arrivals.update(usage.arrived),
      ownRefusalRate: (refusals.share ?? 0) + (refusals.paused ?? 0),
      serviceRate: this.answers.update(usage.served),
      outcomes,
      refusals,
      durations: this.ended.durations.take(),
      waiting: load.backlog,
      oldestWaitMs: Math.round(load.oldestWaitMs),
      workspaces: usage.heaviest(HEAVIEST).map((use) => ({
        ...use,
        waiting: this.calls.waitingOf(use.workspaceId),
      })),
    };
  }

  /** The growth per second of each count of a kind. */
  private ratesOf(kind: string, totals: ReadonlyMap<string, number>): Record<string, number> {
    return Object.fromEntries(
      [...totals].map(([name, total]) => {
        const known = this.rates.get(`${kind} ${name}`) ?? new SmoothRate(this.toldAt);
        this.rates.set(`${kind} ${name}`, known);
        return [name, Math.round(known.update(total) * 100) / 100];
      }),
    );
  }
}

type Calls = Pick<CallGateway, 'load' | 'admission' | 'waitingOf'>;
type Ended = Pick<Metrics, 'outcomes' | 'durations'>;
