import { Places } from './places.ts';

// Redis does one large read after another, and a small read of somebody else waits for all of them. Two keep it busy while one of them is
// on its way.
const AT_ONCE = 2;

/** The large reads of all calls of this process. */
export const largeReads = new Places(AT_ONCE);
