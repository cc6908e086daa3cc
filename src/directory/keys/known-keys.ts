const REMEMBERED_KEYS = 10_000;
// An organization may have as many keys as are remembered. One with more than this must not make those of others unknown.
const MANY = 1_000;

/** The organizations of API keys that were found lately, by the hashes of the keys. They never change. */
export class KnownKeys {
  private readonly organizations = new Map<string, string>();
  private readonly hashes = new Map<string, Set<string>>();

  organizationOf(hash: string): string | undefined {
    return this.organizations.get(hash);
  }

  /**
   * Adds a key that was found just now. Beyond the bound, the key that was found longest ago is forgotten: one of the same organization if
   * that has many, otherwise one of any.
   */
  add(hash: string, organizationId: string): void {
    this.forget(hash);
    const own = this.hashes.get(organizationId) ?? new Set();
    if (this.organizations.size >= REMEMBERED_KEYS)
      this.forgetFirst(own.size >= MANY ? own : this.organizations);
    this.organizations.set(hash, organizationId);
    this.hashes.set(organizationId, own.add(hash));
  }

  /** Removes a key that is not found any more. */
  forget(hash: string): void {
    const organizationId = this.organizations.get(hash);
    if (organizationId === undefined) return;
    this.organizations.delete(hash);
    const own = this.hashes.get(organizationId);
    own?.delete(hash);
    if (own?.size === 0) this.hashes.delete(organizationId);
  }

  private forgetFirst(keys: Pick<Set<string>, 'keys'>): void {
    const oldest = keys.keys().next();
    if (!oldest.done) this.forget(oldest.value);
  }
}
