// What is longer is made anew each time: what a viewer has noted of a user may be half a megabyte.
const VIEW_LENGTH_MAX = 2_048;
const KEPT_LENGTH_MAX = 8 * 1_024 * 1_024;

/**
 * Users as they were shown, by the texts of their record and of what the viewer has noted of them: those who write do so again and
 * again. Long ones are not kept, and all are forgotten when they are 8 Mi characters together.
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
