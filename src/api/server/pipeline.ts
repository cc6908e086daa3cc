import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Turn } from './tenant-lanes.ts';
import { UnparsedBytes } from './unparsed-bytes.ts';

/** How many requests of one connection are worked on at once. */
export const PIPELINE_DEPTH = 16;

// How long a body may go on to come once its request has been answered.
const REST_MS = 5_000;

/** What Node knows of a socket; its types do not. */
interface Inside {
  /** Whether it is left unread because its answers are not taken. */
  _paused?: boolean;
  _handle: { readStart(): void; readStop(): void } | null;
}

/** In which lane a request waits, and whether it counts there: how many calls are under way is bounded elsewhere. */
export interface LaneName {
  readonly name: string;
  readonly counts: boolean;
}

/** A request that has been parsed and not answered. */
export interface TakenRequest {
  readonly response: ServerResponse;
  readonly lane: LaneName;
  /** What it counts as in its lane, once it has started. */
  turn: Turn | null;
}

/** The requests of one connection that are not answered yet. */
export class Pipeline {
  readonly socket: Socket;
  /** In the order in which they came. */
  readonly running: TakenRequest[] = [];
  /** Those that have been parsed and not started. While there is one nothing more is parsed. */
  waiting: TakenRequest[] = [];
  readonly unread = new UnparsedBytes();
  /** Whether the socket is left unread, as something of it waits for its turn. */
  isHeld = false;
  /** Whether it stands in the lane of its tenant. */
  isInLine = false;
  /** Whether nothing more is read as HTTP. */
  isBroken = false;
  private readonly parse: (bytes: Buffer) => void;
  /** Waits for the rest of the body of an answered request. */
  private rest: NodeJS.Timeout | undefined;

  constructor(socket: Socket, parse: (bytes: Buffer) => void) {
    this.socket = socket;
    this.parse = parse;
  }

  get hasUnanswered(): boolean {
    return this.running.length > 0 || this.waiting.length > 0;
  }

  /** Whether there is something to parse, and nothing of this connection in its way. */
  get mayParse(): boolean {
    return this.unread.size > 0 && !this.isClogged && (this.unread.isBody || this.mayBegin);
  }

  /** Whether a request that waits may start. */
  get mayStart(): boolean {
    return this.waiting.length > 0 && this.running.length < PIPELINE_DEPTH;
  }

  /** Parses one request, or more of the body of one. */
  parseNext(): void {
    do this.unread.parseNext(this.parse);
    while (this.unread.size > 0 && this.unread.isBody && !this.isClogged);
  }

  /** Takes out a request that has been answered or given up; gives what it counted as. */
  end(response: ServerResponse): Turn | null {
    const place = this.running.findIndex((one) => one.response === response);
    return place === -1 ? null : (this.running.splice(place, 1)[0]?.turn ?? null);
  }

  hold(): void {
    if (this.isHeld) return;
    this.isHeld = true;
    this.socket.pause();
    // A paused socket would go on to read into memory, and to hear of the end before what comes before it has been parsed.
    this.inside._handle?.readStop();
  }

  release(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.inside._handle?.readStart();
    // Else Node does so once answers have been taken.
    if (this.inside._paused !== true) this.socket.resume();
  }

  /** The answer that may be written now. */
  get next(): ServerResponse | undefined {
    return this.running.find(({ response }) => response.socket !== null)?.response;
  }

  /** Writes to the client: one that is gone refuses it, and the connection closes. */
  probe(): void {
    const { next } = this;
    if (next !== undefined && !next.headersSent && next.req.httpVersionMinor > 0) next.writeProcessing();
  }

  /** Gives the client a while to send the rest of a request that has been answered; it is let read its answer before it is cut off. */
  awaitRest(request: IncomingMessage): void {
    const { socket } = this;
    if (socket.destroyed) return;
    clearTimeout(this.rest);
    this.rest = setTimeout(() => request.complete || socket.destroy(), REST_MS);
  }

  /** Ends what the connection left behind; nothing of it starts any more. */
  drop(): void {
    this.waiting = [];
    this.unread.clear();
    clearTimeout(this.rest);
    // Node says so only to the response whose turn it was.
    for (const { response } of [...this.running]) {
      if (response.socket !== null || response.destroyed) continue;
      response.destroy();
      response.emit('close');
    }
  }

  private get mayBegin(): boolean {
    return this.waiting.length === 0 && this.running.length < PIPELINE_DEPTH;
  }

  // The parser must not be given anything then.
  private get isClogged(): boolean {
    return this.inside._paused === true;
  }

  private get inside(): Inside {
    return this.socket as unknown as Inside;
  }
}
