import { isReadOnly } from '../../tl/is-read-only.ts';

// The caller sets the length of these answers: bytes as base64.
const FILE_PIECES = new Set(['upload.getFile', 'upload.getWebFile', 'upload.getCdnFile']);
const PIECE_MAX = 1024 * 1024;
const OVERHEAD_BYTES = 1024;

// The expected bytes of a read that was never answered before.
const UNKNOWN_READ = 64 * 1024;

// A large answer raises the expectation, which halves in this time.
const HALVED_AFTER_MS = 30_000;
const NEVER_LARGE = 4 * 1024;

// At least this many sizes are remembered, and at most twice as many.
const REMEMBERED = 4_096;

interface Weight {
  bytes: number;
  seenAt: number;
}

/** By organization and method. */
type Weights = Map<string, Map<string, Weight>>;

/**
 * Predicts the bytes of answers: by the largest recent answer of the organization and method, or by what the call asks for.
 * Methods not called for long are forgotten.
 */
export class ExpectedAnswers {
  private recent: Weights = new Map();
  private older: Weights = new Map();
  private recentCount = 0;

  /** The expected bytes of a call's answer. */
  of(organizationId: string, method: string, params: object): number {
    if (FILE_PIECES.has(method)) {
      const { limit = 0 } = params as { limit?: number };
      return Math.ceil((Math.min(Math.max(limit, 0), PIECE_MAX) * 4) / 3) + OVERHEAD_BYTES;
    }
    return this.find(organizationId, method)?.bytes ?? (isReadOnly(method) ? UNKNOWN_READ : 0);
  }

  /** Records the bytes of an answer. */
  add(organizationId: string, method: string, bytes: number): void {
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
