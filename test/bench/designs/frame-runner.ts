import { callEntry } from '../../../src/ledger/entry.ts';
import { LEDGER_GRACE_MS } from '../../../src/ledger/retention.ts';
import { Problem } from '../../../src/problem.ts';
import { encodeFrame } from '../../../src/queue/frame.ts';
import type { WireCall } from '../../../src/queue/wire.ts';
import type { RedisClock } from '../../../src/redis/clock.ts';
import type { RedisConnection } from '../../../src/redis/connections.ts';
import { commitScript } from '../../../src/state/commit-script.ts';
import { readHashesScript } from '../../../src/state/read-hashes-script.ts';
import { reserveScript } from '../../../src/state/reserve-script.ts';
import { CallExecutor } from '../../../workers/executor/call-executor.ts';
import { openSandboxDriver } from '../../../workers/sandbox/sandbox-driver.ts';
import { TxidReserver } from './txid-reserver.ts';

/** Runs single calls exactly as a worker of the service runs those of a batch: same method, same commit, same ledger. */
export class FrameRunner {
  private readonly state: RedisConnection;
  private readonly executor: CallExecutor;
  private readonly txids: TxidReserver;
  private readonly never = new AbortController().signal;

  constructor(state: RedisConnection, clock: RedisClock) {
    const driver = openSandboxDriver();
    const drivers = new Map([[driver.name, driver]]);
    this.state = state;
    this.executor = new CallExecutor({ state, clock, drivers, crashFaults: false });
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
    const ledgerExpiresAt = call.notAfter + LEDGER_GRACE_MS;
    const { frame } = await this.executor.run(call, {
      entry: callEntry(this.state, call, { id: call.id, ledgerExpiresAt }),
      ...this.txids.reserve(call.workspaceId),
      signal: this.never,
      mayWait: true,
      again: false,
    });
    return frame ?? TIMED_OUT;
  }
}

const problem = new Problem('call_timeout');
const TIMED_OUT = encodeFrame(problem.status, '', JSON.stringify(problem));
