import { isReadOnly } from '../../tl/is-read-only.ts';

// Their answers are as long as their callers say: bytes as base64.
const FILE_PIECES = new Set(['upload.getFile', 'upload.getWebFile', 'upload.getCdnFile']);
const PIECE_MAX = 1024 * 1024;
const BESIDE_BYTES = 1024;

// What the answer of a read is expected to weigh before one has been seen.
const UNKNOWN_READ = 64 * 1024;

// What was large once may be large again, for a while.
const HALVED_AFTER_MS = 30_000;
const NEVER_LARGE = 4 * 1024;

// So many weights of late are remembered for certain, twice as many at most.
const REMEMBERED = 4_096;

interface Weight {
  bytes: number;
  seenAt: number;
}

/** By organization and method. */
type Weights = Map<string, Map<string, Weight>>;

/**
 * What the answers of calls are expected to weigh: what the largest of their organization and method have of late, or what a caller asks
 * for. What nobody has asked about for long is forgotten.
 */
export class ExpectedAnswers {
  private recent: Weights = new Map();
  private older: Weights = new Map();
  private recentCount = 0;

  /** How many bytes the answer of a call may come to. */
  of(organizationId: string, method: string, params: object): number {
    if (FILE_PIECES.has(method)) {
      const { limit = 0 } = params as { limit?: number };
      return Math.ceil((Math.min(Math.max(limit, 0), PIECE_MAX) * 4) / 3) + BESIDE_BYTES;
    }
    return this.find(organizationId, method)?.bytes ?? (isReadOnly(method) ? UNKNOWN_READ : 0);
  }

  /** Notes what an answer has weighed. */
  note(organizationId: string, method: string, bytes: number): void {
    const known = this.find(organizationId, method);
    if (known === undefined) {
      this.remember(organizationId, method, { bytes, seenAt: performance.now() });
    } else if (bytes > NEVER_LARGE || known.bytes > NEVER_LARGE) {
      const now = performance.now();
      known.bytes = Math.max(bytes, known.bytes * 2 ** ((known.seenAt - now) / HALVED_AFTER_MS));
      known.seenAt = now;
    }
  }

  private find(organizationId: string, method: string): Weight | undefined {
    const weight = this.recent.get(organizationId)?.get(method);
    if (weight !== undefined) return weight;
    const older = this.older.get(organizationId)?.get(method);
    if (older !== undefined) this.remember(organizationId, method, older);
    return older;
  }

  private remember(organizationId: string, method: string, weight: Weight): void {
    if (this.recentCount === REMEMBERED) {
      this.older = this.recent;
      this.recent = new Map();
      this.recentCount = 0;
    }
    const weights = this.recent.get(organizationId) ?? new Map<string, Weight>();
    this.recent.set(organizationId, weights.set(method, weight));
    this.recentCount += 1;
  }
}
