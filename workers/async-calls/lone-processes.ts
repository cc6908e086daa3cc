import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CallRef } from '../../src/async-calls/attempt-call.ts';
import type { Logger } from '../../src/logger.ts';
import { LaneShares, type Tenant } from '../../src/queue/lane-shares.ts';
import type { LoneReport } from './lone-report.ts';

// One process for the first organization, and one more for another.
const PERMITS = 1;

const IDLE_MS = 10_000;
const START_MS = 30_000;

interface Lone {
  child: ChildProcess;
  isReady: boolean;
  /** Ends the process after some idle time. */
  idle: NodeJS.Timeout | undefined;
}

/**
 * Runs calls that are suspected to have killed their process, each alone in a child process. The parent survives and sees how the child
 * ends. So the culprit is observed, not inferred from which calls were running when a worker was killed.
 */
export class LoneProcesses {
  private readonly log: Logger;
  private readonly shares = new LaneShares<null>(PERMITS);
  private readonly idle: Lone[] = [];
  private readonly all = new Set<Lone>();
  private closing = false;

  constructor(log: Logger) {
    this.log = log;
  }

  /**
   * Runs an attempt at a call. Returns its report, `died` if its process died, or null if no process is free now. `mayBegin` is asked once
   * a process is ready, which may take long.
   */
  async run(
    ref: CallRef,
    tenant: Tenant,
    mayBegin: () => Promise<boolean>,
  ): Promise<LoneReport | 'died' | null> {
    if (this.closing || !this.shares.take(tenant, ref.callId, null)) return null;
    try {
      const lone = this.idle.pop() ?? this.start();
      clearTimeout(lone.idle);
      if (!lone.isReady && !(await untilReady(lone))) return null;
      if (!(await mayBegin().catch(() => false))) return this.keep(lone);
      const report = await this.hand(lone, ref);
      if (report === 'died') this.log.warn({ callId: ref.callId }, 'a call ended its process');
      return report;
    } finally {
      this.shares.giveBack(tenant);
    }
  }

  /** Ends the processes. Running calls have at most `graceMs` to be put back. */
  async close(graceMs: number): Promise<void> {
    this.closing = true;
    const ended = [...this.all].map(({ child }) => untilExit(child));
    for (const { child } of this.all) child.kill('SIGTERM');
    const late = new Promise((resolve) => setTimeout(resolve, graceMs).unref());
    await Promise.race([Promise.all(ended), late]);
    for (const { child } of this.all) child.kill('SIGKILL');
  }

  private start(): Lone {
    const file = new URL(`lone-main${extname(import.meta.url)}`, import.meta.url);
    const child = fork(fileURLToPath(file), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const lone: Lone = { child, isReady: false, idle: undefined };
    this.all.add(lone);
    const forget = () => {
      this.all.delete(lone);
      this.retire(lone);
    };
    child.once('exit', forget);
    child.on('error', (err) => {
      this.log.warn({ err }, 'a process for one call failed');
      // A process that never started does not exit.
      if (child.pid === undefined) forget();
    });
    return lone;
  }

  private keep(lone: Lone): null {
    if (!this.all.has(lone)) return null;
    this.idle.push(lone);
    lone.idle = setTimeout(() => {
      this.retire(lone);
      lone.child.kill('SIGTERM');
    }, IDLE_MS);
    lone.idle.unref();
    return null;
  }

  private retire(lone: Lone): void {
    clearTimeout(lone.idle);
    const at = this.idle.indexOf(lone);
    if (at >= 0) this.idle.splice(at, 1);
  }

  private hand(lone: Lone, ref: CallRef): Promise<LoneReport | 'died' | null> {
    return new Promise((resolve) => {
      // A process that was asked to end was not killed by its call.
      const onExit = (code: number | null) => resolve(code === 0 || this.closing ? null : 'died');
      lone.child.once('exit', onExit);
      lone.child.once('message', (report) => {
        lone.child.off('exit', onExit);
        this.keep(lone);
        resolve(report as LoneReport);
      });
      lone.child.send(ref, (error) => {
        if (error !== null) resolve(null);
      });
    });
  }
}

async function untilReady(lone: Lone): Promise<boolean> {
  const { child } = lone;
  let timer: NodeJS.Timeout | undefined;
  lone.isReady = await new Promise<boolean>((resolve) => {
    timer = setTimeout(() => {
      child.kill('SIGKILL');
      resolve(false);
    }, START_MS);
    child.once('message', () => resolve(true));
    child.once('exit', () => resolve(false));
    child.once('error', () => resolve(false));
  });
  clearTimeout(timer);
  return lone.isReady;
}

function untilExit(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('exit', () => resolve()));
}
