import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { type Finding, fail, ok, warn } from './finding.ts';

const MIB = 1024 * 1024;
const LITTLE_BYTES = 512 * MIB;

/** The bytes of a disk: all of it, and those that are left for this user. */
interface Space {
  size: number;
  free: number;
}

/** Looks at the data folder of `npm start`: whether this user may write to it, and whether there is room. Says nothing if there is none. */
export function* examineDataDir(folder: string, spaceOf = readSpace): Generator<Finding> {
  try {
    const stats = statSync(folder, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (!stats.isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
    if (process.geteuid !== undefined && stats.uid !== process.geteuid()) {
      yield warn(
        `The data folder ${folder} belongs to another user: its address and key are not used.`,
        'Run this as that user, or give --url and --key.',
      );
      return;
    }
    accessSync(folder, constants.W_OK | constants.X_OK);
    yield examineSpace(folder, spaceOf(folder));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    yield fail(
      `The data folder ${folder} cannot be used (${code ?? message}).`,
      'Let this user write to it, or set SWITCHBOARD_DATA_DIR to a folder where that is so.',
    );
  }
}

function examineSpace(folder: string, { size, free }: Space): Finding {
  const left = `${Math.floor(free / MIB)} MiB`;
  // Some file systems do not say how large they are.
  if (size > 0 && free < MIB)
    return fail(
      `The disk of the data folder ${folder} is full.`,
      'Make room on it: until then the Redis there takes no writes, and `npm start` may not start.',
    );
  return size > 0 && free < LITTLE_BYTES
    ? warn(`The disk of the data folder ${folder} has only ${left} left.`, 'Make room on it.')
    : ok(`The data folder ${folder} can be written to${size > 0 ? `; its disk has ${left} left` : ''}.`);
}

function readSpace(folder: string): Space {
  const { bsize, blocks, bavail } = statfsSync(folder);
  return { size: bsize * blocks, free: bsize * bavail };
}
