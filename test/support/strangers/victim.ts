import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Account, Service } from '../service/service.ts';
import { MachineShare } from './machine-share.ts';

const EVERY_MS = 100;
// A hundred calls at least on both sides: the slowest hundredth of fewer is one call.
const LEAST_MS = 11_000;
const AFTER_MS = 1_000;
// The lowest there is.
const ATTACK_PRIORITY = 19;
const SAMPLE_MS = 50;
const P99_NOISE_MS = 250;
const MiB = 1024 * 1024;

/** How a tenant's calls went: ten `messages.sendMessage` a second. */
export interface Figures {
  calls: number;
  /** Those that were not answered with 200, as status and body. */
  failures: string[];
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

/** What an attack did to the tenant next door and to the API processes. */
export interface Harm<T = unknown> {
  quiet: Figures;
  during: Figures;
  /** The most resident memory of all API processes together during the attack, above what they had before, in bytes. */
  apiGrowth: number;
  /** How much of the machine others than the service, the attack and this tenant had meanwhile, from 0 to 1; 1 where nobody says. */
  elsewhere: number;
  /** What the attack came to. */
  result: T;
}

/** A tenant of its own organization who sends to itself, and the harm that others do to it. */
export class Victim {
  private readonly service: Service;
  private readonly account: Account;
  private readonly peer: Account;
  private readonly key: string;
  private readonly keepsConnections: boolean;

  private constructor(
    service: Service,
    account: Account,
    peer: Account,
    key: string,
    keepsConnections: boolean,
  ) {
    this.service = service;
    this.account = account;
    this.peer = peer;
    this.key = key;
    this.keepsConnections = keepsConnections;
  }

  /** Without kept connections, it sends each call over a new one. */
  static async create(service: Service, { keepsConnections = true } = {}): Promise<Victim> {
    const { id: workspaceId } = await service.aWorkspace();
    const [account, peer] = [await service.anAccount(workspaceId), await service.anAccount(workspaceId)];
    const { secret } = await service.ok('POST', '/v1/api-keys', {
      name: 'Victim',
      workspaceId,
      scopes: ['calls:write'],
    });
    return new Victim(service, account, peer, secret, keepsConnections);
  }

  /**
   * Runs an attack while this tenant goes on sending, after it has sent for a while in peace. An attack should last ten seconds: a
   * shorter one is followed by peace until then.
   */
  async during<T>(attack: () => Promise<T>): Promise<Harm<T>> {
    // Warm code and connections on both sides of the comparison.
    await this.sendWhile(() => sleep(1_000));
    const quiet = (await this.sendWhile(() => sleep(LEAST_MS))).figures;
    const before = this.apiMemory();
    let most = before;
    const sampler = setInterval(() => {
      most = Math.max(most, this.apiMemory());
    }, SAMPLE_MS);
    try {
      const { figures, result } = await this.sendWhile(async () => {
        const startedAt = performance.now();
        const share = new MachineShare(this.service);
        // Attackers are elsewhere: here they must not take the processor away from what they attack, nor from this tenant, whose
        // process has begun.
        setPriority(ATTACK_PRIORITY);
        const done = await attack();
        await sleep(Math.max(AFTER_MS, LEAST_MS - (performance.now() - startedAt)));
        return { done, elsewhere: share.elsewhere() };
      });
      const { done, elsewhere } = result;
      return { quiet, during: figures, apiGrowth: most - before, elsewhere, result: done };
    } finally {
      clearInterval(sampler);
      // Only root may take it back.
      try {
        setPriority(0);
      } catch {}
    }
  }

  /** Resident memory of all API processes together, in bytes. */
  apiMemory(): number {
    return this.service.apis.reduce((sum, { child }) => sum + residentBytes(child.pid as number), 0);
  }

  private async sendWhile<T>(work: () => Promise<T>): Promise<{ figures: Figures; result: T }> {
    const { child, answers } = this.startSending();
    const ended = once(child, 'exit');
    try {
      const result = await work();
      child.send('stop');
      await ended;
      return { figures: toFigures(answers), result };
    } finally {
      child.kill('SIGKILL');
    }
  }

  private startSending(): { child: ChildProcess; answers: Sent[] } {
    const { account, peer, service, key } = this;
    const path = `/workspaces/${account.workspaceId}/messenger-accounts/${account.id}/call/messages.sendMessage`;
    const params = {
      peer: { _: 'inputPeerUser', userId: peer.userId, accessHash: '0' },
      message: 'Message %n',
    };
    const script = fileURLToPath(new URL('send-steadily.mjs', import.meta.url));
    const child = fork(script, {
      execArgv: [],
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      env: {
        VICTIM_URL: `${service.url}${path}`,
        VICTIM_KEY: key,
        VICTIM_BODY: JSON.stringify({ params }),
        VICTIM_EVERY_MS: String(EVERY_MS),
        VICTIM_KEEPS_CONNECTIONS: String(this.keepsConnections),
      },
    });
    const answers: Sent[] = [];
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      answers.push(JSON.parse(line));
    });
    return { child, answers };
  }
}

/**
 * Holds what an attack did against what every tenant may count on: no failed call, none above a second, a p99 at most three times
 * the quiet one, and 300 MB more memory at most. Prints the figures. With ten calls a second a p99 is little more than the slowest of
 * them, and attackers share the cores: below a quarter of a second it says nothing by itself, and the figures are to be read. Above
 * it, or with a call above a second, vitest.config.ts has the test run once more.
 */
export function expectUnhurt(name: string, { quiet, during, apiGrowth, elsewhere }: Harm): void {
  const ratio = during.p99Ms / quiet.p99Ms;
  process.stderr.write(
    `${name}: ${during.calls} calls, ${during.failures.length} failed, p99 ${during.p99Ms.toFixed(1)} ms ` +
      `(quiet ${quiet.p99Ms.toFixed(1)}, ${ratio.toFixed(1)}x), slowest ${during.maxMs.toFixed(0)} ms, ` +
      `API ${(apiGrowth / MiB).toFixed(0)} MiB above, ${(100 * elsewhere).toFixed(0)} % of the machine elsewhere\n`,
  );
  expect(during.failures).toEqual([]);
  expect(during.calls).toBeGreaterThan(0);
  expect(during.maxMs, 'slowest in ms').toBeLessThan(1_000);
  expect(during.p99Ms, 'p99 in ms').toBeLessThanOrEqual(Math.max(3 * quiet.p99Ms, P99_NOISE_MS));
  expect(apiGrowth).toBeLessThanOrEqual(300 * MiB);
}

interface Sent {
  ms: number;
  status: number;
  body?: string;
}

function toFigures(answers: Sent[]): Figures {
  const times = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  // By nearest rank: the smallest that so many are not above.
  const at = (share: number) => times[Math.max(0, Math.ceil(times.length * share) - 1)] ?? 0;
  return {
    calls: answers.length,
    failures: answers.filter(({ status }) => status !== 200).map(({ status, body }) => `${status} ${body}`),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
  };
}

/** Resident memory of a process, in bytes; 0 where the system does not say. */
export function residentBytes(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
