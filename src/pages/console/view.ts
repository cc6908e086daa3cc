import type { Api } from './api.ts';
import type { Live } from './live.ts';

/** A view of the console. */
export interface View {
  node: HTMLElement;
  /** Stops its reads, when the view is hidden. */
  close(): void;
  /** Reads everything again. */
  refresh(): void;
  /** Handles the view's own keyboard shortcuts. */
  onKey?(key: string): void;
}

/** The dependencies of views. */
export interface Context {
  api: Api;
  live: Live;
  /** The id in the address after the name of the view, of the record that it is about; `''` if there is none. */
  recordId: string;
}
