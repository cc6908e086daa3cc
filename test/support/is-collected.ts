import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Whether nothing refers to a value any more. The caller must not refer to it either. */
export async function isCollected(value: WeakRef<object>): Promise<boolean> {
  // What was looked at in a turn of the event loop stays until its end.
  await turn();
  collect();
  return value.deref() === undefined;
}
