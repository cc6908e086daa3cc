/** What differs, in words. */
export class Differences {
  readonly found: string[] = [];
  private readonly where: string;

  constructor(where: string) {
    this.where = where;
  }

  note(what: string): void {
    this.found.push(`${this.where}: ${what}`);
  }

  /** Holds what the sandbox answers against what it should be. */
  hold(what: string, answered: unknown, expected: unknown): void {
    const [is, should] = [JSON.stringify(answered), JSON.stringify(expected)];
    if (is !== should) this.note(`${what}: the sandbox says ${is}, which should be ${should}`);
  }
}
