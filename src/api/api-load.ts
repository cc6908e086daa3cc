import type { ApiFigures } from '../fleet/figures.ts';
import { HEAVIEST } from '../fleet/scaling-report.ts';
import { SmoothRate } from '../fleet/smooth-rate.ts';
import type { CallGateway } from '../queue/submit/call-gateway.ts';
import { VERSION } from '../version.ts';

/** How much the call path of this process has to do, as it tells once a second. */
export class ApiLoad {
  private readonly calls: Pick<CallGateway, 'load' | 'admission'>;
  private readonly arrivals = new SmoothRate();
  private readonly ownRefusals = new SmoothRate();
  private readonly answers = new SmoothRate();

  constructor(calls: Pick<CallGateway, 'load' | 'admission'>) {
    this.calls = calls;
  }

  /** To be asked once a second. */
  figures(): ApiFigures {
    const { load, admission } = this.calls;
    const { usage, refusals } = admission;
    return {
      kind: 'api',
      version: VERSION,
      arrivalRate: this.arrivals.update(usage.arrived),
      ownRefusalRate: this.ownRefusals.update((refusals.get('share') ?? 0) + (refusals.get('paused') ?? 0)),
      serviceRate: this.answers.update(usage.served),
      waiting: load.backlog,
      oldestWaitMs: Math.round(load.oldestWaitMs),
      workspaces: usage.heaviest(HEAVIEST),
    };
  }
}
