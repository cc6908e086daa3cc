import type { PauseRecord } from '../../client/records.ts';
import type { Api, ApiError } from './api.ts';
import { Poller } from './poller.ts';
import type { Health, Page, ScalingReport } from './types.ts';

const READ_MS = 2_000;
// An API process that hangs must not look healthy for long. Whatever of Redis hangs, it answers within two seconds.
const PATIENCE_MS = 5_000;
const SAMPLES_MAX = 150;
// Pauses change seldom.
const PAUSES_EVERY = 5;

/** A sample for the charts. */
export interface Sample {
  at: number;
  report: ScalingReport;
}

/** The state of the gateway, read every two seconds and kept for five minutes. */
export class Live {
  readonly samples: Sample[] = [];
  health: Health | null = null;
  /** The number of pauses, up to a hundred. */
  paused = 0;
  /** Why the last read failed; null if it did not. */
  error: ApiError | null = null;
  private reads = 0;
  private readonly listeners = new Set<() => void>();
  private readonly poll: Poller;

  constructor(api: Api, first: ScalingReport) {
    this.take(first);
    this.poll = new Poller(READ_MS, () => this.read(api));
  }

  get report(): ScalingReport {
    return (this.samples.at(-1) as Sample).report;
  }

  /** Calls `listener` now and after every read. Returns the function that ends this. */
  watch(listener: () => void): () => void {
    this.listeners.add(listener);
    listener();
    return () => this.listeners.delete(listener);
  }

  readNow(): void {
    void this.poll.readNow();
  }

  stop(): void {
    this.poll.stop();
    this.listeners.clear();
  }

  private async read(api: Api): Promise<void> {
    try {
      // While Redis is away there is no report, but the API process tells why.
      const [health, [report, pauses]] = await Promise.all([
        readHealth(api),
        Promise.allSettled([readInTime<ScalingReport>(api, '/v1/scaling'), this.readPauses(api)]),
      ]);
      this.health = health;
      if (report.status === 'rejected') throw report.reason;
      if (pauses.status === 'rejected') throw pauses.reason;
      this.reads += 1;
      this.error = null;
      this.take(report.value);
    } catch (error) {
      this.error = error as ApiError;
      throw error;
    } finally {
      for (const listener of this.listeners) listener();
    }
  }

  private async readPauses(api: Api): Promise<void> {
    if (this.reads % PAUSES_EVERY !== 0) return;
    const { data } = await readInTime<Page<PauseRecord>>(api, '/v1/pauses?limit=100');
    this.paused = data.length;
  }

  private take(report: ScalingReport): void {
    this.samples.push({ at: Date.parse(report.at), report });
    if (this.samples.length > SAMPLES_MAX) this.samples.shift();
  }
}

function readInTime<Body>(api: Api, path: string): Promise<Body> {
  return api.send('GET', path, { signal: AbortSignal.timeout(PATIENCE_MS) });
}

// `/readyz` also answers if the process is not ready.
async function readHealth({ base }: Api): Promise<Health | null> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  return fetch(`${base}/readyz`, { cache: 'no-store', signal })
    .then((response) => response.json())
    .catch(() => null);
}
