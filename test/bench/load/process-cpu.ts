import { readFileSync } from 'node:fs';

// What every Linux counts process times in, whatever its timer.
const TICKS_PER_SECOND = 100;

/** CPU seconds that a process has used so far, its threads and the kernel on its behalf included; 0 for one that is gone. */
export function readCpuSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name may contain spaces; it ends with the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

/** CPU seconds by role, each the sum over its processes. */
export function readCpuByRole(pids: Record<string, number[]>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(pids).map(([role, members]) => [
      role,
      members.reduce((sum, pid) => sum + readCpuSeconds(pid), 0),
    ]),
  );
}

/** CPU seconds that the whole machine has used so far, whoever used them. */
export function readMachineCpuSeconds(): number {
  const [line = ''] = readFileSync('/proc/stat', 'latin1').split('\n', 1);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = line
    .split(/ +/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softIrq + steal) / TICKS_PER_SECOND;
}
