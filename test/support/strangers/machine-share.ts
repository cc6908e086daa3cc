import { readFileSync } from 'node:fs';
import type { Service } from '../service/service.ts';

// Ticks of the clock a second, as Linux has them everywhere.
const TICKS = 100;

/** How much of the machine is used by others than a service and the process that tests it. */
export class MachineShare {
  private readonly pids: number[];
  private readonly before: { machine: Machine; own: number };

  constructor({ spawned, redis }: Service) {
    this.pids = [...spawned.map(({ child }) => child.pid as number), redis.pid];
    this.before = this.look();
  }

  /** What others have used since this began, from 0 to 1; 1 where the system does not say. */
  elsewhere(): number {
    const now = this.look();
    const all = now.machine.all - this.before.machine.all;
    const busy = now.machine.busy - this.before.machine.busy;
    return all > 0 ? Math.max(0, busy - (now.own - this.before.own)) / all : 1;
  }

  private look(): { machine: Machine; own: number } {
    const { user, system } = process.cpuUsage();
    const own = ((user + system) / 1e6) * TICKS;
    return { machine: readMachine(), own: this.pids.reduce((sum, pid) => sum + readProcess(pid), own) };
  }
}

/** Ticks of all processors together. */
interface Machine {
  all: number;
  busy: number;
}

function readMachine(): Machine {
  // user, nice, system, idle, iowait, irq, softirq, steal
  const ticks = read('/proc/stat').split('\n', 1)[0]?.trim().split(/\s+/).slice(1, 9).map(Number) ?? [];
  const all = ticks.reduce((sum, one) => sum + one, 0);
  return { all, busy: all - (ticks[3] ?? 0) - (ticks[4] ?? 0) };
}

// Of a process that has ended nothing is known.
function readProcess(pid: number): number {
  const text = read(`/proc/${pid}/stat`);
  const [user = 0, system = 0] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return user + system;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
