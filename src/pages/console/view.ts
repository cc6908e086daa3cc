import type { Api } from './api.ts';
import type { Live } from './live.ts';

/** One of the things the console shows. */
export interface View {
  node: HTMLElement;
  /** Ends what it reads; nobody sees it any more. */
  close(): void;
  /** Reads everything anew. */
  refresh(): void;
  /** What it does with keys of its own. */
  onKey?(key: string): void;
}

/** What views are made with. */
export interface Context {
  api: Api;
  live: Live;
  /** What the address says behind the name of the view, such as an id; `''` for nothing. */
  about: string;
}
