import { cpus, totalmem } from 'node:os';

/** The model of the processor, as the system calls it, such as `AMD EPYC`. */
export function processorModel(): string {
  return cpus()[0]?.model.trim() ?? 'unknown processor';
}

/** The machine in a line: versions of Node and Redis, processors, memory. */
export function describeMachine(redisVersion: string): string {
  const memory = Math.round(totalmem() / 1024 ** 3);
  const redis = `Redis ${redisVersion} (append-only file, \`everysec\`)`;
  return `Node ${process.versions.node}, ${redis}, ${cpus().length} × ${processorModel()}, ${memory} GB`;
}
