import type { Api } from './api.ts';
import { Poller } from './poller.ts';

const READ_MS = 5_000;

/** Reads what is shown on demand only, but again and again until that succeeds. */
export class RetriedRead<Found> {
  private readonly api: Api;
  private readonly path: string;
  private readonly show: (found: Found) => void;
  private readonly fail: (message: string) => void;
  private readonly poll: Poller;
  private reads = 0;
  /** Whether nothing was read yet, or the last read failed. */
  private isOpen = true;

  constructor(api: Api, path: string, show: (found: Found) => void, fail: (message: string) => void) {
    this.api = api;
    this.path = path;
    this.show = show;
    this.fail = fail;
    this.poll = new Poller(READ_MS, async () => {
      if (this.isOpen) await this.read();
    });
  }

  readonly refresh = (): void => {
    void this.read().catch(() => undefined);
  };

  /** Shows what is newer than each read that is under way. */
  take(found: Found): void {
    this.reads += 1;
    this.isOpen = false;
    this.show(found);
  }

  stop(): void {
    this.poll.stop();
    this.reads += 1;
  }

  private async read(): Promise<void> {
    this.reads += 1;
    const own = this.reads;
    try {
      const found = await this.api.get<Found>(this.path);
      if (own === this.reads) this.take(found);
    } catch (error) {
      if (own !== this.reads) return;
      this.isOpen = true;
      this.fail((error as Error).message);
      throw error;
    }
  }
}
