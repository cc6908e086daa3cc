import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { every, type Repeated } from '../../every.ts';

/** Answers a request. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** How many requests of one connection are worked on at once. */
export const PIPELINE_DEPTH = 16;

// For how long requests that have waited may start in one turn of the event loop.
const TURN_MS = 5;

// A connection that is not read tells only of a write that it is gone.
const PROBE_MS = 1_000;

// How long a body may go on to come once its request has been answered.
const REST_MS = 5_000;

/** The requests of one connection that are not answered yet. */
interface Pipeline {
  readonly socket: Socket;
  running: ServerResponse[];
  /** Requests that have been read and not started. While there are any the socket is not read, so that they are at most one chunk. */
  waiting: ServerResponse[];
  /** Writes to the client while requests wait; null until some have. */
  probing: Repeated | null;
  /** Waits for the rest of the body of an answered request. */
  rest: NodeJS.Timeout | null;
}

const pipelines = new WeakMap<Socket, Pipeline>();

/** Whether a connection is left unread because too many of its requests are unanswered. */
export function isHeld(socket: Socket): boolean {
  return (pipelines.get(socket)?.waiting.length ?? 0) > 0;
}

/** The answer of a connection that is next to go out, the one it may write now; undefined where nothing is under way. */
export function findNextAnswer(socket: Socket): ServerResponse | undefined {
  return pipelines.get(socket)?.running.find((response) => response.socket !== null);
}

/**
 * Bounds the requests of each connection. Node's parser hands out every request of a chunk that it has read, and a chunk of 64 KiB
 * holds thousands. Here `PIPELINE_DEPTH` of them run; the others wait, and the socket is not read until all of them have started. They
 * start a few in each turn of the event loop, with connections taking turns. Once the connection is gone none of them starts.
 */
export class Pipelines {
  private readonly handle: RequestHandler;
  /** Those with a request that waits and may start, the one whose turn it is first. */
  private readonly ready = new Set<Pipeline>();
  private isScheduled = false;
  private readonly onClosed: (this: ServerResponse) => void;

  constructor(handle: RequestHandler) {
    this.handle = handle;
    const goOn = (pipeline: Pipeline) => this.goOn(pipeline);
    // One function for all responses, as making one for each takes time.
    this.onClosed = function onClosed() {
      // Its connection remembers it until the next one, and those who have waited for this hold the call with its answer.
      this.removeAllListeners('close');
      const pipeline = pipelines.get(this.req.socket);
      if (pipeline === undefined) return;
      const place = pipeline.running.indexOf(this);
      if (place !== -1) pipeline.running.splice(place, 1);
      if (pipeline.waiting.length > 0) goOn(pipeline);
      if (!this.req.complete) awaitRest(pipeline, this.req);
    };
  }

  /** Takes a request as it was read; it runs now or when its turn comes. */
  take(request: IncomingMessage, response: ServerResponse): void {
    const pipeline = this.pipelineOf(request.socket);
    response.on('close', this.onClosed);
    if (pipeline.running.length < PIPELINE_DEPTH && pipeline.waiting.length === 0) {
      pipeline.running.push(response);
      this.handle(request, response);
      return;
    }
    pipeline.waiting.push(response);
    if (pipeline.waiting.length === 1) hold(pipeline);
  }

  private pipelineOf(socket: Socket): Pipeline {
    const known = pipelines.get(socket);
    if (known !== undefined) return known;
    const pipeline: Pipeline = { socket, running: [], waiting: [], probing: null, rest: null };
    pipelines.set(socket, pipeline);
    socket.once('close', () => this.drop(pipeline));
    return pipeline;
  }

  private goOn(pipeline: Pipeline): void {
    if (pipeline.running.length >= PIPELINE_DEPTH) return;
    this.ready.add(pipeline);
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.startSome());
  }

  private startSome(): void {
    const until = performance.now() + TURN_MS;
    this.isScheduled = false;
    for (const pipeline of this.ready) {
      // Added again behind all others if more of it may start.
      this.ready.delete(pipeline);
      this.startOne(pipeline);
      if (performance.now() >= until) break;
    }
    if (this.ready.size === 0 || this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.startSome());
  }

  private startOne(pipeline: Pipeline): void {
    const response = pipeline.waiting.shift();
    if (response === undefined) return;
    pipeline.running.push(response);
    if (pipeline.waiting.length === 0) release(pipeline);
    else if (pipeline.running.length < PIPELINE_DEPTH) this.ready.add(pipeline);
    this.handle(response.req, response);
  }

  private drop(pipeline: Pipeline): void {
    this.ready.delete(pipeline);
    pipeline.waiting = [];
    void pipeline.probing?.stop();
    clearTimeout(pipeline.rest ?? undefined);
    // Node says so only to the response whose turn it was.
    for (const response of [...pipeline.running]) {
      if (response.socket !== null || response.destroyed) continue;
      response.destroy();
      response.emit('close');
    }
  }
}

function hold(pipeline: Pipeline): void {
  const { socket } = pipeline;
  socket.pause();
  // Node resumes it whenever a request has been read to its end.
  if (pipeline.probing === null) socket.on('resume', () => pipeline.waiting.length > 0 && socket.pause());
  pipeline.probing = every(PROBE_MS, () => probe(pipeline));
}

function release({ socket, probing }: Pipeline): void {
  void probing?.stop();
  socket.resume();
}

// A client that is gone refuses it, and the connection closes.
function probe({ running }: Pipeline): void {
  const [first] = running;
  if (first === undefined || first.headersSent || first.socket === null) return;
  if (first.req.httpVersionMinor > 0) first.writeProcessing();
}

// The client is let read its answer before it is cut off.
function awaitRest(pipeline: Pipeline, request: IncomingMessage): void {
  const { socket } = pipeline;
  if (socket.destroyed) return;
  clearTimeout(pipeline.rest ?? undefined);
  pipeline.rest = setTimeout(() => request.complete || socket.destroy(), REST_MS);
}
