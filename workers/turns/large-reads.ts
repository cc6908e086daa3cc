import { FairSemaphore } from './fair-semaphore.ts';

// Redis executes one large read after another, and small reads of others wait behind all of them. Two at once keep Redis busy while an
// answer is on its way.
const AT_ONCE = 2;

/** Lets two large reads of this process run at once; the others wait, and workspaces take turns. */
export const largeReads = new FairSemaphore(AT_ONCE);
