import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { StartedItem } from './tenant-lanes.ts';
import { UnparsedBytes } from './unparsed-bytes.ts';

/** How many requests of one connection run at once. */
export const PIPELINE_DEPTH = 16;

// The head of a request, some chunks of its body, and its end.
const PARTS_AT_ONCE = 3;

// How long a body may still arrive after its request has been answered.
const REST_MS = 5_000;

/** Internals of a Node socket that its types lack. */
interface SocketInternals {
  /** Whether Node has paused it because its answers are not taken. */
  _paused?: boolean;
  _handle: {
    /** Whether Node counts it as being read. */
    reading: boolean;
    readStart(): void;
    readStop(): void;
  } | null;
}

/** The lane in which a request waits, and whether the request counts there once it runs. Calls do not: they are bounded elsewhere. */
export interface LaneName {
  readonly name: string;
  readonly counts: boolean;
}

/** A request that was parsed and is not yet answered. */
export interface TakenRequest {
  readonly response: ServerResponse;
  readonly lane: LaneName;
  /** The turn that it holds in its lane once it has started, if it counts. */
  started: StartedItem | null;
}

/** What `PausedConnections` notes about a connection. `bytes` and `isOld` are valid only while `isOn`. */
export interface Pause {
  isOn: boolean;
  /** How many of its bytes are unparsed. */
  bytes: number;
  /** Whether there were unparsed bytes at the last probe. */
  isOld: boolean;
  /** Whether it is in the list of those that were added in this turn. */
  isListed: boolean;
}

/** The unanswered requests of one connection, and its unparsed bytes. */
export class Pipeline {
  readonly socket: Socket;
  /** The started requests, in order of arrival. */
  readonly running: TakenRequest[] = [];
  /** Requests that were parsed and not started. While there is one, no further request is parsed. */
  waiting: TakenRequest[] = [];
  readonly unread = new UnparsedBytes();
  /** The answer to the newest request; undefined if it was sent after the request's whole body had arrived. */
  latest: ServerResponse | undefined;
  /** How many requests' heads have been parsed. */
  heads = 0;
  /** Whether the socket is paused, because its bytes or requests wait for their turn. */
  isHeld = false;
  readonly pause: Pause = { isOn: false, bytes: 0, isOld: false, isListed: false };
  /** Whether it waits in the lane of its tenant. */
  isQueued = false;
  /** In which lists of connections with bytes to parse it is: `fresh` ones have no unanswered request. */
  readonly toParse = { fresh: false, other: false };
  /** Whether its bytes are no longer parsed as HTTP. */
  isBroken = false;
  private readonly parse: (bytes: Buffer) => void;
  /** Destroys the socket if the rest of an answered request's body does not arrive. */
  private rest: NodeJS.Timeout | undefined;

  constructor(socket: Socket, parse: (bytes: Buffer) => void) {
    this.socket = socket;
    this.parse = parse;
  }

  get hasUnanswered(): boolean {
    return this.running.length > 0 || this.waiting.length > 0;
  }

  /** Whether there are bytes to parse, and the connection may parse them now. */
  get mayParse(): boolean {
    return this.unread.size > 0 && !this.isClogged && (this.unread.isBody || this.mayBegin);
  }

  /** Whether a request that waits may start. */
  get mayStart(): boolean {
    return this.waiting.length > 0 && this.running.length < PIPELINE_DEPTH;
  }

  /** Parses one request, or more of the body of one; of a chunked body a part. */
  parseNext(): void {
    const { unread } = this;
    for (let parts = 1; ; parts += 1) {
      unread.parseNext(this.parse);
      const goesOn = unread.isSizedBody || (unread.isBody && parts < PARTS_AT_ONCE);
      if (unread.size === 0 || !goesOn || this.isClogged) return;
    }
  }

  /** Takes a request whose head was parsed. */
  begin(response: ServerResponse, lane: LaneName): void {
    this.latest = response;
    this.heads += 1;
    this.unread.begin(response.req);
    this.waiting.push({ response, lane, started: null });
  }

  /** Removes a request that was answered or given up; returns its turn. */
  end(response: ServerResponse): StartedItem | null {
    if (!response.req.complete) this.awaitRest(response.req);
    else if (this.latest === response) {
      // An idle connection would keep its last request and answer in memory.
      this.latest = undefined;
      this.unread.forget();
    }
    const place = this.running.findIndex((one) => one.response === response);
    if (place === -1) return null;
    // Mostly it is the only one. `splice` would give up the memory of the list that becomes empty, which is soon needed again.
    const ended = place === 0 ? this.running.shift() : this.running.splice(place, 1)[0];
    return ended?.started ?? null;
  }

  hold(): void {
    if (this.isHeld) return;
    this.isHeld = true;
    this.stopReading();
  }

  /** Stops reading, also where Node has just begun it again. */
  stopReading(): void {
    this.socket.pause();
    // A socket that is only paused goes on reading into memory, and would emit its end before the bytes before it are parsed.
    this.inside._handle?.readStop();
  }

  release(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    const { _handle: handle } = this.inside;
    // Node itself has stopped reading where a body was not taken. It starts again below, and a second start would destroy the socket.
    if (handle?.reading) handle.readStart();
    // Otherwise Node resumes it once answers have been taken.
    if (this.inside._paused !== true) this.socket.resume();
  }

  /** The answer that may be written now. */
  get next(): ServerResponse | undefined {
    return this.running.find(({ response }) => response.socket !== null)?.response;
  }

  /** Writes an informational response (102): a dead peer resets the connection, a live one ignores it. */
  probe(): void {
    const { next } = this;
    if (next !== undefined && !next.headersSent && next.req.httpVersionMinor > 0) next.writeProcessing();
  }

  /** Drops the waiting requests and bytes of a closed connection, and closes the responses that Node does not close. */
  drop(): void {
    this.waiting = [];
    this.unread.clear();
    clearTimeout(this.rest);
    // Node emits `close` only on the response that was being written. One may have been destroyed before its turn to be written.
    for (const { response } of [...this.running]) {
      if (response.socket !== null) continue;
      response.destroy();
      response.emit('close');
    }
  }

  // Gives the client time to send the rest of an answered request, so that it can read its answer before it is disconnected.
  private awaitRest(request: IncomingMessage): void {
    const { socket } = this;
    if (socket.destroyed) return;
    clearTimeout(this.rest);
    this.rest = setTimeout(() => request.complete || socket.destroy(), REST_MS);
  }

  private get mayBegin(): boolean {
    return this.waiting.length === 0 && this.running.length < PIPELINE_DEPTH;
  }

  // Node's parser must not be given bytes while the socket is paused.
  private get isClogged(): boolean {
    return this.inside._paused === true;
  }

  private get inside(): SocketInternals {
    return this.socket as unknown as SocketInternals;
  }
}
