/** Something that waits for its turn on behalf of one workspace. */
export interface Queued {
  workspaceId: string;
  bytes: number;
}

interface Line<Item> {
  workspaceId: string;
  items: Item[];
  head: number;
  outstanding: number;
  queued: boolean;
}

/**
 * Calls that wait in this process, one line per workspace. Lines are served in turn, one call each, so that a workspace's
 * wait does not depend on how many calls another one has.
 */
export class Backlog<Item extends Queued> {
  private readonly lines = new Map<string, Line<Item>>();
  private turn: Line<Item>[] = [];
  private count = 0;

  get size(): number {
    return this.count;
  }

  push(item: Item): void {
    const line = this.line(item.workspaceId);
    line.items.push(item);
    this.count += 1;
    if (!line.queued) {
      line.queued = true;
      this.turn.push(line);
    }
  }

  /** Takes up to `limits.calls` calls and `limits.bytes` bytes; no workspace gets beyond its share of the window. */
  take(limits: { calls: number; bytes: number; window: number }): Item[] {
    const taken: Item[] = [];
    const full: Line<Item>[] = [];
    const share = Math.max(1, Math.floor(limits.window / Math.max(1, this.lines.size)));
    let bytes = 0;
    while (taken.length < limits.calls) {
      const line = this.turn.shift();
      if (!line) break;
      if (line.outstanding >= share) {
        full.push(line);
        continue;
      }
      bytes += (line.items[line.head] as Item).bytes;
      if (taken.length > 0 && bytes > limits.bytes) {
        this.turn.unshift(line);
        break;
      }
      taken.push(this.shift(line));
      line.outstanding += 1;
      if (line.head < line.items.length) this.turn.push(line);
      else line.queued = false;
    }
    this.turn.push(...full);
    return taken;
  }

  /** Gives back the place in the window that a taken call held. */
  release(workspaceId: string): void {
    const line = this.lines.get(workspaceId);
    if (!line) return;
    line.outstanding -= 1;
    if (line.outstanding === 0 && !line.queued) this.lines.delete(workspaceId);
  }

  private shift(line: Line<Item>): Item {
    const item = line.items[line.head] as Item;
    line.head += 1;
    this.count -= 1;
    if (line.head === line.items.length) {
      line.items = [];
      line.head = 0;
    } else if (line.head > 1_024 && line.head * 2 > line.items.length) {
      line.items = line.items.slice(line.head);
      line.head = 0;
    }
    return item;
  }

  private line(workspaceId: string): Line<Item> {
    let line = this.lines.get(workspaceId);
    if (!line) {
      line = { workspaceId, items: [], head: 0, outstanding: 0, queued: false };
      this.lines.set(workspaceId, line);
    }
    return line;
  }
}
