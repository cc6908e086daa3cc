import type { Actor } from './audit.ts';

export const PAUSE_KINDS = ['workspace', 'account', 'method', 'lane'] as const;
export const PAUSE_MODES = ['wait', 'refuse'] as const;

/** The lanes that can be paused. A call reaches the lone lane from another lane, and has passed the pause of that one. */
export const PAUSABLE_LANES = ['shared', 'slow', 'async'] as const;

/** What is paused: a workspace or account by its id, a method or lane by its name. */
export interface PauseTarget {
  kind: (typeof PAUSE_KINDS)[number];
  id: string;
}

/** A pause of calls: they wait for its end, or are refused. */
export interface Pause {
  target: PauseTarget;
  mode: (typeof PAUSE_MODES)[number];
  reason: string | null;
  since: string;
  by: Actor;
}

/** A call, with everything by which it can be paused. */
interface Pausable {
  workspaceId: string;
  account: { id: string };
  method: string;
}

/** The pauses that this process knows of. */
export class Pauses {
  // No two kinds have an id in common.
  private byId = new Map<string, Pause>();
  private readonly listeners: (() => void)[] = [];

  /** How many pauses have the mode. */
  count(wanted: Pause['mode']): number {
    return [...this.byId.values()].filter(({ mode }) => mode === wanted).length;
  }

  /** What is paused. */
  get targets(): PauseTarget[] {
    return [...this.byId.values()].map(({ target }) => target);
  }

  /** Whether any method is paused. */
  get hasMethods(): boolean {
    return [...this.byId.values()].some(({ target }) => target.kind === 'method');
  }

  /** Whether all async calls of a workspace are paused. */
  holdsAll(workspaceId: string): boolean {
    return this.byId.has(workspaceId) || this.byId.has('async');
  }

  /** The pause that applies to a call; one that refuses takes precedence. Null for none. */
  find(call: Pausable, lane: (typeof PAUSABLE_LANES)[number]): Pause | null {
    if (this.byId.size === 0) return null;
    const { workspaceId, account, method } = call;
    let found: Pause | null = null;
    for (const id of [workspaceId, account.id, method, lane]) {
      const pause = this.byId.get(id);
      if (pause?.mode === 'refuse') return pause;
      found ??= pause ?? null;
    }
    return found;
  }

  /** Replaces the pauses. */
  replace(pauses: Pause[]): void {
    this.byId = new Map(pauses.map((pause) => [pause.target.id, pause]));
    for (const listener of this.listeners) listener();
  }

  /** Calls `listener` whenever pauses have changed. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }
}
