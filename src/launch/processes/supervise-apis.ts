import { join } from 'node:path';
import { shareMetrics } from '../../metrics/shared-port.ts';
import { type Crash, type SupervisedChild, superviseChild } from './supervise-child.ts';

const MODULE = join(import.meta.dirname, '../../api/main.js');

interface Options {
  count: number;
  env: NodeJS.ProcessEnv;
  graceMs: number;
  mayPrint: Promise<void>;
  onSpawn?: (pid: number) => void;
  onCrash: (name: string, how: Crash) => void;
}

/** Runs API processes, on one port if there are several. */
export function superviseApis({ count, graceMs, onCrash, ...options }: Options) {
  const isShared = count > 1;
  if (isShared) shareMetrics();
  const children: SupervisedChild[] = [];
  for (let number = 1; number <= count; number += 1) {
    const name = isShared ? `api ${number}` : 'api';
    children.push(
      superviseChild({
        module: MODULE,
        ...options,
        ...(isShared && { number }),
        onCrash: (how) => onCrash(name, how),
      }),
    );
  }
  return {
    /** Whether any of them takes requests: otherwise another program may have the port. */
    get isListening() {
      return children.some((child) => child.isListening);
    },
    close: async () => void (await Promise.all(children.map((child) => child.stop(graceMs)))),
    kill: () => {
      for (const child of children) child.kill();
    },
  };
}
