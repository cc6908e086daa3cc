// Longer texts are not cached: a viewer's contact record of a user may have half a megabyte.
const VIEW_LENGTH_MAX = 2_048;
const KEPT_LENGTH_MAX = 8 * 1_024 * 1_024;

/**
 * Caches shown users, by the texts of their record and of the viewer's contact record, as the same users write again and again. Long texts
 * are not cached, and the cache is cleared when it has 8 Mi characters.
 */
export class ShownUsers {
  private readonly views = new Map<string, Map<string, string>>();
  private length = 0;

  find(record: string, noted: string): string | undefined {
    return this.views.get(record)?.get(noted);
  }

  keep(record: string, noted: string, shown: string): void {
    const length = record.length + noted.length + shown.length;
    if (length > VIEW_LENGTH_MAX) return;
    if (this.length + length > KEPT_LENGTH_MAX) {
      this.views.clear();
      this.length = 0;
    }
    this.length += length;
    const views = this.views.get(record) ?? new Map<string, string>();
    this.views.set(record, views.set(noted, shown));
  }
}
