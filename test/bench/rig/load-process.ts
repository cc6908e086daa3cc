import type { LoadMessage, LoadPlan, LoadResult } from '../load/load-plan.ts';
import { Child } from './child.ts';

/** What to do at the two moments between which is measured. */
export interface LoadMoments {
  onMeasuring?: () => Promise<void>;
  onMeasured?: () => Promise<void>;
}

/** The process that offers load. */
export class LoadProcess {
  private readonly child: Child;
  private onMessage: (message: LoadMessage) => void = () => undefined;
  private readonly ready: Promise<void>;

  constructor() {
    this.child = new Child({
      name: 'load',
      file: 'dist/bench/test/bench/load/main.js',
      env: {},
    });
    this.ready = new Promise((resolve) => {
      this.onMessage = (message) => message.kind === 'ready' && resolve();
    });
    this.child.process.on('message', (message) => this.onMessage(message as LoadMessage));
  }

  /** Carries out a plan; one at a time. */
  async run(plan: LoadPlan, moments: LoadMoments = {}): Promise<LoadResult> {
    await this.child.during(this.ready);
    const pending: Promise<void>[] = [];
    const result = new Promise<LoadResult>((resolve, reject) => {
      this.onMessage = (message) => {
        if (message.kind === 'measuring' && moments.onMeasuring) pending.push(moments.onMeasuring());
        if (message.kind === 'measured' && moments.onMeasured) pending.push(moments.onMeasured());
        if (message.kind === 'result') resolve(message.result);
        if (message.kind === 'failed') reject(new Error(`The load failed: ${message.message}`));
      };
    });
    this.child.process.send(plan);
    const answer = await this.child.during(result);
    await Promise.all(pending);
    return answer;
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}
