import type { CallContext } from '../../../driver.ts';
import { readingSlices } from '../../../turns/slices.ts';
import { type FoundMessage, PARSED_AT_ONCE } from '../boxes/messages.ts';

/** Those of the messages that are wanted. To look at long ones takes a while, so other calls run in between. */
export async function pickWanted(
  { workspaceId }: CallContext,
  messages: readonly (FoundMessage | null)[],
  isWanted: (one: FoundMessage) => boolean,
): Promise<FoundMessage[]> {
  const wanted: FoundMessage[] = [];
  let searched = 0;
  for (const one of messages) {
    if (one === null) continue;
    searched += one.raw.length;
    if (searched > PARSED_AT_ONCE) {
      await readingSlices.next(workspaceId);
      searched = one.raw.length;
    }
    if (isWanted(one)) wanted.push(one);
  }
  return wanted;
}
