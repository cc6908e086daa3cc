import { Problem } from '../src/problem.ts';
import type { RedisConnection } from '../src/redis/connections.ts';
import { STOP_CHANNEL } from '../src/redis/keys.ts';

/** The abort signals of the calls that run in this process. */
export class StopSignals {
  private readonly running = new Map<string, AbortController>();
  private isStopping = false;

  /** Starts to listen for canceled calls; `subscriber` must be used for nothing else. */
  async listen(subscriber: RedisConnection): Promise<void> {
    subscriber.on('smessage', (_channel: string, callId: string) => this.stop(callId));
    await subscriber.ssubscribe(STOP_CHANNEL);
  }

  /** Runs `act` with the call's own signal, which also aborts after `timeoutMs`. */
  async run<T>(callId: string, timeoutMs: number, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    this.running.set(callId, controller);
    if (this.isStopping) controller.abort(new Problem('shutting_down'));
    const timer = setTimeout(() => controller.abort(new Problem('call_timeout')), timeoutMs);
    try {
      return await act(controller.signal);
    } finally {
      clearTimeout(timer);
      this.running.delete(callId);
    }
  }

  /** Stops all calls, including those that are about to start; other processes run them again. Commits made by then stay. */
  stopAll(): void {
    this.isStopping = true;
    for (const controller of this.running.values()) controller.abort(new Problem('shutting_down'));
  }

  private stop(callId: string): void {
    this.running.get(callId)?.abort(new Problem('canceled'));
  }
}
