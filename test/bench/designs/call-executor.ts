import { callEntry } from '../../../src/ledger/entry.ts';
import { LEDGER_GRACE_MS } from '../../../src/ledger/retention.ts';
import { Problem } from '../../../src/problem.ts';
import { encodeFrame } from '../../../src/queue/frame.ts';
import type { WireCall } from '../../../src/queue/wire.ts';
import type { RedisClock } from '../../../src/redis/clock.ts';
import type { RedisConnection } from '../../../src/redis/connections.ts';
import { batchReads, type StateReader } from '../../../src/state/batch-reads.ts';
import { commitScript } from '../../../src/state/commit-script.ts';
import { readHashesScript } from '../../../src/state/read-hashes-script.ts';
import { reserveScript } from '../../../src/state/reserve-script.ts';
import { runCall, toProblem } from '../../../workers/run-call.ts';
import { openSandboxDriver } from '../../../workers/sandbox/sandbox-driver.ts';
import { TxidReserver } from './txid-reserver.ts';

/** Runs single calls exactly as a worker of the service runs those of a batch: same method, same commit, same ledger. */
export class CallExecutor {
  private readonly state: RedisConnection;
  private readonly clock: RedisClock;
  private readonly txids: TxidReserver;
  private readonly reads: StateReader;
  private readonly driver = openSandboxDriver();
  private readonly never = new AbortController().signal;

  constructor(state: RedisConnection, clock: RedisClock) {
    this.state = state;
    this.reads = batchReads(state);
    this.clock = clock;
    this.txids = new TxidReserver(state);
  }

  /** Makes Redis hold the scripts. */
  async load(): Promise<void> {
    await Promise.all(
      [commitScript, readHashesScript, reserveScript].map((script) => script.load(this.state)),
    );
  }

  /** The reply of a call as a frame. Never rejects. */
  async run(call: WireCall): Promise<string> {
    try {
      const entry = callEntry(this.state, call, {
        id: call.id,
        ledgerExpiresAt: call.notAfter + LEDGER_GRACE_MS,
      });
      const { txid, reservation } = await this.txids.reserve(call.workspaceId);
      const outcome = await runCall(
        call,
        {
          state: this.state,
          reads: this.reads,
          driver: this.driver,
          entry,
          txid,
          reservation,
          signal: this.never,
          crashFaults: false,
          again: false,
          startedAt: performance.now(),
          now: this.clock.now(),
        },
        true,
      );
      return outcome.frame ?? frameOf(new Problem('call_timeout'));
    } catch (error) {
      return frameOf(toProblem(error, call.method));
    }
  }
}

function frameOf(problem: Problem): string {
  return encodeFrame(problem.status, '', JSON.stringify(problem));
}
