import { Problem } from '../src/problem.ts';
import type { RedisConnection } from '../src/redis/connections.ts';
import { STOP_CHANNEL } from '../src/redis/keys.ts';

/** The signals by which calls that run in this process are told to stop. */
export class StopSignals {
  private readonly running = new Map<string, AbortController>();
  private isStopping = false;

  /** Hears from now on of the calls that are canceled; `subscriber` listens to nothing else. */
  async listen(subscriber: RedisConnection): Promise<void> {
    subscriber.on('smessage', (_channel: string, callId: string) => this.stop(callId));
    await subscriber.ssubscribe(STOP_CHANNEL);
  }

  /** Runs something with a signal of the call's own, which is also given when `timeoutMs` have passed. */
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

  /** Has every call stop and be run by another process, those too that are about to begin; what has committed by then stays. */
  stopAll(): void {
    this.isStopping = true;
    for (const controller of this.running.values()) controller.abort(new Problem('shutting_down'));
  }

  private stop(callId: string): void {
    this.running.get(callId)?.abort(new Problem('canceled'));
  }
}
