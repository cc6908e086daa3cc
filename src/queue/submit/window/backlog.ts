import { Ring } from '../../../ring.ts';
import { type Line, openLine, type Queued } from './backlog-line.ts';
import type { Division, Holding } from './divide-window.ts';
import { PermitsPerCall } from './permits-per-call.ts';
import { Shares } from './shares.ts';

// With at most this many workspaces, newcomers are rare enough for a job of their own.
const NEWCOMERS_AMONG = 16;

// A line is cleared of ended items when at least this many have ended, and more than half of all.
const ENDED_MIN = 32;

// A large call keeps Redis, a worker and this process busy for a while, and all other calls wait meanwhile. So few large calls are
// outstanding at once.
const LARGE_FROM_BYTES = 4 * 1024;
const LARGE_BYTES_MAX = 256 * 1024;

/**
 * The calls that wait in this process, one line per workspace, and the window of calls that are outstanding. Lines are served by deficit
 * round robin: a call costs one permit, or as many as the workspace's calls have lately cost on average, and the quantum is the workspace's
 * weight. So a workspace's wait does not depend on how many calls another one has, nor on what those cost. A workspace gets no more than
 * its share of the window and the permits lent to it, except for a few permits while there is room. Its last call may exceed that; if the
 * window has no room for that, the workspace pays afterwards by having less than its share for a while. A lone workspace has the whole
 * window.
 */
export class Backlog<Item extends Queued> {
  /** What calls cost. */
  readonly costs = new PermitsPerCall();
  private readonly shares: Shares;
  private readonly lines = new Map<string, Line<Item>>();
  private turn: Line<Item>[] = [];
  /** Lines whose next call is large, and for which there was no room when their turn came. */
  private readonly aside: Line<Item>[] = [];
  private count = 0;
  private calls = 0;
  /** The permits of all outstanding calls. */
  private taken = 0;
  private largeBytes = 0;
  private turnedOver = 0;
  /** The time that debts are settled by while calls are taken, by this process's monotonic clock. */
  private now = performance.now();

  constructor(windowMax: number) {
    this.shares = new Shares(windowMax);
  }

  /** How many permits all processes have together. */
  get window(): number {
    return this.shares.window;
  }

  /** How many calls wait. */
  get size(): number {
    return this.count;
  }

  /** Whether nothing waits or is outstanding, now or lately. */
  get isIdle(): boolean {
    return this.lines.size === 0;
  }

  /** How many calls are outstanding. */
  get outstanding(): number {
    return this.calls;
  }

  /** This process's part of the window, in permits; the whole window while no other process holds calls. */
  get permits(): number {
    return this.shares.permits;
  }

  /** The permits that calls which have come want, and that calls which have gone held, since `take` last found fewer than asked for. */
  get turnover(): number {
    return this.turnedOver;
  }

  /**
   * Whether a workspace waits that has no call outstanding and may have one now. Always false with many workspaces, where one always does.
   */
  get hasNewcomer(): boolean {
    if (this.lines.size > NEWCOMERS_AMONG) return false;
    this.now = performance.now();
    return this.turn.some((line) => line.outstanding === 0 && this.roomOf(line) > 0);
  }

  /** How many calls of a workspace wait. */
  waitingOf(workspaceId: string): number {
    const line = this.lines.get(workspaceId);
    return line === undefined ? 0 : line.items.size;
  }

  push(item: Item): void {
    const line = this.lines.get(item.workspaceId) ?? this.open(item.workspaceId);
    line.items.push(item);
    line.touched = true;
    this.count += 1;
    this.turnedOver += this.costs.of(item.workspaceId);
    if (!line.isActive) {
      line.isActive = true;
      this.turn.push(line);
    }
  }

  /** Takes calls of up to `permits` permits and `bytes` bytes, but at least one call if the window has room. */
  take(limits: { permits: number; bytes: number }): Item[] {
    const taken: Item[] = [];
    const full: Line<Item>[] = [];
    const wanted = this.taken + limits.permits;
    const until = Math.min(wanted, this.shares.outstandingMax);
    let { bytes } = limits;
    let idle = 0;
    this.now = performance.now();
    while (this.taken < until) {
      if (idle > this.turn.length) {
        this.skipRounds();
        idle = 0;
      }
      const line = this.nextLine();
      if (!line) break;
      const before = taken.length;
      const permits = this.roomOf(line);
      if (permits > 0 && line.deficit < 1) line.deficit += line.weight;
      bytes -= this.takeFrom(line, Math.min(permits, until - this.taken), bytes, taken);
      idle = taken.length === before ? idle + 1 : 0;
      if (!this.endTurn(line, full)) break;
    }
    for (const line of full) this.turn.push(line);
    if (this.taken < wanted) this.turnedOver = 0;
    return taken;
  }

  /** Puts a line where it belongs after its turn; false if its turn is not over. */
  private endTurn(line: Line<Item>, full: Line<Item>[]): boolean {
    if (this.first(line) === undefined) {
      line.isActive = false;
      line.deficit = Math.min(0, line.deficit);
    } else if (this.roomOf(line) <= 0) full.push(line);
    else if (!this.hasRoomFor(line)) this.aside.push(line);
    else if (line.deficit < 1) this.turn.push(line);
    else {
      this.turn.unshift(line);
      return false;
    }
    return true;
  }

  /** Notes that a call has ended that was not taken. So calls that are canceled again and again do not pile up behind one that waits. */
  noteEnded({ workspaceId }: Item): void {
    const line = this.lines.get(workspaceId);
    if (line === undefined) return;
    line.ended += 1;
    if (line.ended < ENDED_MIN || line.ended * 2 <= line.items.size) return;
    const live = new Ring<Item>();
    for (let item = line.items.shift(); item !== undefined; item = line.items.shift()) {
      if (item.state === 'ended') this.count -= 1;
      else live.push(item);
    }
    line.items = live;
    line.ended = 0;
  }

  /** Gives back the permits that a taken call held. */
  release({ workspaceId, bytes, permits }: Queued): void {
    const line = this.lines.get(workspaceId);
    if (!line) return;
    if (permits > 1) {
      this.now = performance.now();
      this.shares.settle(line, this.now);
      line.costly -= permits;
    }
    line.outstanding -= permits;
    this.calls -= 1;
    this.taken -= permits;
    this.turnedOver += permits;
    this.largeBytes -= largeBytesOf(bytes);
  }

  /** The first call of each line. */
  *heads(): Generator<Item> {
    for (const line of [...this.turn, ...this.aside]) {
      const item = this.first(line);
      if (item !== undefined) yield item;
    }
  }

  /** This process's holdings, for dividing the window: at most `max` workspaces, and the total weight of the others. */
  holdings(max: number): { held: Holding[]; restWeight: number } {
    const held: Holding[] = [];
    let restWeight = 0;
    for (const line of this.lines.values()) {
      const demand = line.items.size * this.costs.of(line.workspaceId) + line.outstanding;
      if (held.length < max && (demand > 1 || this.lines.size <= max))
        held.push({ workspaceId: line.workspaceId, weight: line.weight, demand });
      else restWeight += line.weight;
    }
    return { held, restWeight };
  }

  /** Applies a division of a window, and forgets workspaces without a call since the last one. */
  divide(division: Division, window = this.window): void {
    for (const line of this.lines.values()) {
      if (!line.touched && line.outstanding === 0 && !line.isActive) this.lines.delete(line.workspaceId);
      line.touched = false;
    }
    this.shares.divide(division, window, this.lines.values());
  }

  /** Up to `max` workspaces whose weights are stale, those that have been so for longest. */
  unweighed(isFresh: (weighedAt: number) => boolean, max: number): string[] {
    const stale = [...this.lines.values()].filter(({ weighedAt }) => !isFresh(weighedAt));
    // Weights may be stale again before all have had their turn.
    if (stale.length > max)
      stale.sort((a, b) => Number(a.weighedAt > b.weighedAt) - Number(a.weighedAt < b.weighedAt));
    return stale.slice(0, max).map(({ workspaceId }) => workspaceId);
  }

  /** Sets the weight of a workspace, if it has calls here. */
  weigh(workspaceId: string, weight: number, at: number): void {
    const line = this.lines.get(workspaceId);
    if (line) this.shares.weigh(line, weight, at);
  }

  private roomOf(line: Line<Item>): number {
    return this.shares.roomOf(line, this.costs.of(line.workspaceId), this.taken, this.now);
  }

  // After calls that cost much, all lines may be short of a call by many rounds.
  private skipRounds(): void {
    let rounds = Number.POSITIVE_INFINITY;
    for (const { deficit, weight } of this.turn) rounds = Math.min(rounds, Math.ceil((1 - deficit) / weight));
    // The last of these rounds is the next one.
    for (const line of this.turn) if (rounds > 1) line.deficit += (rounds - 1) * line.weight;
  }

  /** Takes calls from a line, as many as its deficit allows; returns their bytes. */
  private takeFrom(line: Line<Item>, permits: number, bytes: number, taken: Item[]): number {
    const cost = this.costs.of(line.workspaceId);
    const { outstanding } = line;
    let size = 0;
    for (let left = permits; left > 0 && line.deficit >= 1; left -= cost) {
      const item = this.first(line);
      if (item === undefined || (taken.length > 0 && size + item.bytes > bytes)) break;
      if (!this.hasRoomFor(line)) break;
      this.shift(line);
      taken.push(item);
      size += item.bytes;
      this.largeBytes += largeBytesOf(item.bytes);
      item.permits = cost;
      line.outstanding += cost;
      this.calls += 1;
      this.taken += cost;
      line.deficit -= cost;
    }
    if (cost > 1) {
      this.shares.settle(line, this.now);
      line.costly += line.outstanding - outstanding;
    }
    return size;
  }

  private nextLine(): Line<Item> | undefined {
    const waited = this.hasRoomForLarge ? this.aside.shift() : undefined;
    return waited ?? this.turn.shift();
  }

  // The last large call may exceed the bound: otherwise a very large one would never find room among smaller ones.
  private get hasRoomForLarge(): boolean {
    return this.largeBytes < LARGE_BYTES_MAX;
  }

  private hasRoomFor(line: Line<Item>): boolean {
    return this.hasRoomForLarge || largeBytesOf(this.first(line)?.bytes ?? 0) === 0;
  }

  private first(line: Line<Item>): Item | undefined {
    while (line.items.first?.state === 'ended') {
      this.shift(line);
      line.ended = Math.max(0, line.ended - 1);
    }
    return line.items.first;
  }

  private shift(line: Line<Item>): void {
    line.items.shift();
    this.count -= 1;
  }

  private open(workspaceId: string): Line<Item> {
    const line = openLine<Item>(workspaceId);
    this.lines.set(workspaceId, line);
    this.shares.join(line);
    return line;
  }
}

function largeBytesOf(bytes: number): number {
  return bytes < LARGE_FROM_BYTES ? 0 : bytes;
}
