import { Problem } from '../src/problem.ts';
import type { RedisConnection } from '../src/redis/connections.ts';
import { STOP_CHANNEL } from '../src/redis/keys.ts';

/** The abort signals of the slow, lone and async calls that run in this process. */
export class StopSignals {
  /** By call. A call may run twice: its job is given out again while its first run, thought dead, goes on. */
  private readonly running = new Map<string, Set<AbortController>>();
  private isStopping = false;

  /** Starts to listen for canceled calls; `subscriber` must be used for nothing else. */
  async listen(subscriber: RedisConnection): Promise<void> {
    subscriber.on('smessage', (_channel: string, callId: string) => this.stop(callId));
    await subscriber.ssubscribe(STOP_CHANNEL);
  }

  /** Runs `act` with the call's own signal, which also aborts after `timeoutMs`. */
  async run<T>(callId: string, timeoutMs: number, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const ofCall = this.running.get(callId) ?? new Set();
    this.running.set(callId, ofCall.add(controller));
    if (this.isStopping) controller.abort(new Problem('shutting_down'));
    const timer = setTimeout(() => controller.abort(new Problem('call_timeout')), timeoutMs);
    try {
      return await act(controller.signal);
    } finally {
      clearTimeout(timer);
      ofCall.delete(controller);
      if (ofCall.size === 0) this.running.delete(callId);
    }
  }

  /** Stops all calls, including those that are about to start; other processes run them again. Commits made by then stay. */
  stopAll(): void {
    this.isStopping = true;
    for (const callId of this.running.keys()) this.abort(callId, 'shutting_down');
  }

  private stop(callId: string): void {
    this.abort(callId, 'canceled');
  }

  private abort(callId: string, code: 'canceled' | 'shutting_down'): void {
    for (const controller of this.running.get(callId) ?? []) controller.abort(new Problem(code));
  }
}
