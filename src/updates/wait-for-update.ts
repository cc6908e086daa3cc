import type { UpdateEntry } from './update-entry.ts';
import type { WorkspaceFeed } from './workspace-feed.ts';

/** What a reader waits for, and for how long. */
export interface WantedUpdate {
  isWanted: (update: UpdateEntry) => boolean;
  timeoutMs: number;
  /** Ends the wait at once. */
  signal: AbortSignal;
}

/**
 * Resolves with an offset to read on from: when there may be a wanted update behind it, when `signal` aborts, after `timeoutMs`, or, once
 * `ending` has aborted, when listeners are woken next. Other updates end no wait: there may be hundreds a second beside
 * thousands of readers.
 */
export async function waitForUpdate(
  feed: WorkspaceFeed,
  offset: string,
  { isWanted, timeoutMs, signal }: WantedUpdate,
  ending: AbortSignal,
): Promise<string> {
  let at = offset;
  const isThere = () => {
    for (let batch = feed.heldAfter(at); batch !== null; batch = feed.heldAfter(at)) {
      if (batch.entries.some(isWanted)) return true;
      if (batch.entries.length === 0) return false;
      at = batch.next;
    }
    return true;
  };
  if (signal.aborted || (feed.hasAfter(at) && isThere())) return at;
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      feed.unlisten(listener);
      resolve();
    };
    const wake = () => {
      if (ending.aborted || isThere()) end();
    };
    const listener = { wake };
    const timer = setTimeout(end, timeoutMs);
    signal.addEventListener('abort', end);
    feed.listen(listener);
  });
  return at;
}
