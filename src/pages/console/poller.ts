const LONGEST_MS = 30_000;

/**
 * Reads at once, and again `ms` after the end of each read; not while the page is hidden. Each failure in a row doubles the pause, up to half
 * a minute.
 */
export class Poller {
  private readonly ms: number;
  private readonly read: () => Promise<unknown>;
  private timer = 0;
  private failures = 0;
  private isReading = false;
  private isOver = false;

  constructor(ms: number, read: () => Promise<unknown>) {
    this.ms = ms;
    this.read = read;
    document.addEventListener('visibilitychange', this.onSeen);
    void this.readNow();
  }

  /** Reads now, unless a read is under way. */
  readonly readNow = async (): Promise<void> => {
    clearTimeout(this.timer);
    if (this.isReading || this.isOver || document.hidden) return;
    this.isReading = true;
    try {
      await this.read();
      this.failures = 0;
    } catch {
      this.failures += 1;
    }
    this.isReading = false;
    if (this.isOver) return;
    this.timer = setTimeout(this.readNow, Math.min(LONGEST_MS, this.ms * 2 ** Math.min(this.failures, 8)));
  };

  stop(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    document.removeEventListener('visibilitychange', this.onSeen);
  }

  private readonly onSeen = (): void => {
    if (!document.hidden) void this.readNow();
  };
}
