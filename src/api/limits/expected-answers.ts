import { isReadOnly } from '../../tl/is-read-only.ts';

// The caller chooses how many bytes these return; they are sent as base64.
const FILE_PIECES = new Set(['upload.getFile', 'upload.getWebFile', 'upload.getCdnFile']);
const PIECE_MAX = 1024 * 1024;
const OVERHEAD_BYTES = 1024;

// The expected bytes of a read that was never answered before.
const UNKNOWN_READ = 64 * 1024;

// How long an expectation takes to halve after a large answer. It is brought up to date when the next answer comes.
const HALVED_AFTER_MS = 30_000;
// Changes among smaller sizes are not recorded.
const SMALL_BYTES = 4 * 1024;

// At least this many sizes are remembered, and at most twice as many.
const REMEMBERED = 4_096;

interface SeenSize {
  bytes: number;
  seenAt: number;
}

/** By organization and method. */
type SeenSizes = Map<string, Map<string, SeenSize>>;

/**
 * Predicts the bytes of answers: by the largest recent answer of the organization and method, or by what the call asks for.
 * The methods that were called longest ago are forgotten.
 */
export class ExpectedAnswers {
  private recent: SeenSizes = new Map();
  private older: SeenSizes = new Map();
  private recentCount = 0;

  /** The expected bytes of a call's answer. */
  of(organizationId: string, method: string, params: object): number {
    if (FILE_PIECES.has(method)) {
      const { limit = 0 } = params as { limit?: number };
      return Math.ceil((Math.min(Math.max(limit, 0), PIECE_MAX) * 4) / 3) + OVERHEAD_BYTES;
    }
    const seen = this.find(organizationId, method);
    if (seen === undefined) return isReadOnly(method) ? UNKNOWN_READ : 0;
    // Return whole bytes: reservations are added and subtracted, and a sum of fractions may not return to 0. Store the fraction: if it were
    // rounded up at each answer, frequent answers would keep it from fading.
    return Math.ceil(seen.bytes);
  }

  /** Records the bytes of an answer. */
  add(organizationId: string, method: string, bytes: number): void {
    const known = this.find(organizationId, method);
    if (known === undefined) {
      this.remember(organizationId, method, { bytes, seenAt: performance.now() });
    } else if (bytes > SMALL_BYTES || known.bytes > SMALL_BYTES) {
      const now = performance.now();
      const faded = known.bytes * 2 ** ((known.seenAt - now) / HALVED_AFTER_MS);
      known.bytes = Math.max(bytes, faded);
      known.seenAt = now;
    }
  }

  private find(organizationId: string, method: string): SeenSize | undefined {
    const recent = this.recent.get(organizationId)?.get(method);
    if (recent !== undefined) return recent;
    const older = this.older.get(organizationId)?.get(method);
    if (older !== undefined) this.remember(organizationId, method, older);
    return older;
  }

  private remember(organizationId: string, method: string, size: SeenSize): void {
    if (this.recentCount === REMEMBERED) {
      this.older = this.recent;
      this.recent = new Map();
      this.recentCount = 0;
    }
    const sizes = this.recent.get(organizationId) ?? new Map<string, SeenSize>();
    this.recent.set(organizationId, sizes.set(method, size));
    this.recentCount += 1;
  }
}
