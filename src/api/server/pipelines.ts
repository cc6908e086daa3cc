import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { every } from '../../every.ts';
import { Ring } from '../../ring.ts';
import { LoopBudget } from './loop-budget.ts';
import { PausedConnections } from './paused-connections.ts';
import { type LaneName, Pipeline } from './pipeline.ts';
import { type StartedItem, TenantLanes } from './tenant-lanes.ts';

const PIPELINE = Symbol('pipeline');

interface PipelinedSocket extends Socket {
  [PIPELINE]?: Pipeline;
}

/** Answers a request. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Chooses the lane in which a request waits. */
export type LaneOf = (request: IncomingMessage) => LaneName;

// How many requests of a tenant, other than calls, run at once; a request that waits for something does not count. Without this bound,
// their commands would queue in Redis before those of other tenants.
const BUSY_MAX = 32;

// The budget of requests that start in one turn. They go on after the turn, which its time limit does not measure. A call is batched with
// others; any other request sends its own commands to Redis, and costs several times as much.
const STARTED_AT_ONCE = 24;
const CALL_COST = 1;
const OTHER_COST = 3;

const PROBE_MS = 1_000;

/** Whether bytes of a connection wait to be parsed. */
export function isHeld(socket: Socket): boolean {
  return (pipelineOf(socket)?.unread.size ?? 0) > 0;
}

/** The answer of a connection that may be written now, if any. */
export function findNextAnswer(socket: Socket): ServerResponse | undefined {
  return pipelineOf(socket)?.next;
}

/** The answer to the newest request of a connection; undefined if it was sent after the request's whole body had arrived. */
export function findLatestAnswer(socket: Socket): ServerResponse | undefined {
  return pipelineOf(socket)?.latest;
}

/** How many requests of a connection have begun. */
export function countRequests(socket: Socket): number {
  return pipelineOf(socket)?.heads ?? 0;
}

/** Stops parsing a connection as HTTP. */
export function stopParsing(socket: Socket): void {
  const pipeline = pipelineOf(socket);
  if (pipeline === undefined) return;
  pipeline.isBroken = true;
  pipeline.unread.clear();
  pipeline.release();
}

/**
 * Lets requests take turns. Node's parser starts all requests in the bytes it is given, and 64 KiB can hold thousands; here it is given one
 * request at a time. What does not fit into a turn of the event loop waits. Bytes wait unparsed while their connection has a request that
 * has not started, or `PIPELINE_DEPTH` unanswered ones. Parsed requests wait in the lane of their tenant. Tenants take turns, and so do the
 * connections of a tenant. A connection with waiting bytes is not read. When it closes, its waiting requests are dropped.
 */
export class Pipelines {
  private readonly handle: RequestHandler;
  private readonly laneOf: LaneOf;
  private readonly lanes = new TenantLanes<Pipeline>(BUSY_MAX, () => this.loop.schedule());
  /** Connections with bytes to parse: `fresh` ones have no unanswered request, and go first. */
  private readonly fresh = new Ring<Pipeline>();
  private readonly others = new Ring<Pipeline>();
  private readonly loop = new LoopBudget((ms) => this.work(ms));
  private readonly paused = new PausedConnections();
  private readonly onClosed: (this: ServerResponse) => void;

  constructor(server: Server, handle: RequestHandler, laneOf: LaneOf) {
    this.handle = handle;
    this.laneOf = laneOf;
    const queueNext = (pipeline: Pipeline) => this.queueNext(pipeline);
    const end = (started: StartedItem | null) => started !== null && this.lanes.end(started);
    // One function for all responses: creating one for each takes time.
    this.onClosed = function onClosed() {
      // Whatever still refers to this response must not keep the call and its answer in memory.
      this.removeAllListeners('close');
      const pipeline = pipelineOf(this.req.socket);
      if (pipeline === undefined) return;
      end(pipeline.end(this));
      queueNext(pipeline);
    };
    server.on('connection', (socket: Socket) => this.open(socket));
    const prober = every(PROBE_MS, () => this.paused.probe());
    server.once('close', () => prober.stop());
  }

  /** Accepts a request whose head was parsed. */
  take(request: IncomingMessage, response: ServerResponse): void {
    response.on('close', this.onClosed);
    pipelineOf(request.socket)?.begin(response, this.laneOf(request));
  }

  private open(socket: Socket): void {
    this.loop.accepted();
    // Node's own listener, which parses HTTP. With another listener on the socket, Node no longer parses below the stream of the socket.
    const [parse] = socket.listeners('data') as [(bytes: Buffer) => void];
    const pipeline = new Pipeline(socket, parse);
    (socket as PipelinedSocket)[PIPELINE] = pipeline;
    this.paused.note(pipeline);
    socket.off('data', parse);
    socket.on('data', (bytes: Buffer) => this.read(pipeline, bytes));
    // Node resumes the socket when a request was read to its end, and when answers were taken.
    socket.on('resume', () => {
      if (!pipeline.isHeld) return this.paused.noteResumed(pipeline);
      pipeline.stopReading();
      this.queueNext(pipeline);
    });
    socket.once('close', () => this.drop(pipeline));
  }

  private read(pipeline: Pipeline, bytes: Buffer): void {
    if (pipeline.isBroken) return;
    const { unread } = pipeline;
    unread.add(bytes);
    while (pipeline.mayParse && (unread.isSizedBody || this.loop.hasTime())) this.parse(pipeline);
    if (unread.size > 0) this.pauseReading(pipeline);
    // The system may pass on several chunks in one turn, and the later ones may find time.
    else if (pipeline.pause.isOn) this.paused.release(pipeline);
  }

  // A request starts once all of its received bytes are parsed. By then most bodies are complete.
  private parse(pipeline: Pipeline): void {
    pipeline.parseNext();
    const first = pipeline.waiting[0];
    if (first === undefined || pipeline.isQueued || !pipeline.mayStart) return;
    // Its body was malformed, and it has been answered already.
    if (pipeline.isBroken && !first.response.req.complete) return;
    if (this.lanes.mayBegin(first.lane.name) && this.loop.hasTime()) this.startOne(pipeline);
    else this.enqueue(pipeline);
  }

  private pauseReading(pipeline: Pipeline): void {
    if (!this.paused.add(pipeline)) {
      // Without room, one request starts at once; a client that has sent more is disconnected.
      if (pipeline.mayParse) this.parse(pipeline);
      if (pipeline.unread.size > 0) return void pipeline.socket.destroy();
      this.paused.release(pipeline);
      return;
    }
    this.queueNext(pipeline);
    this.loop.schedule();
  }

  // Queues the connection for its next turn: to start a request, or to parse.
  private queueNext(pipeline: Pipeline): void {
    if (pipeline.waiting.length > 0) {
      if (pipeline.mayStart) this.enqueue(pipeline);
    } else if (pipeline.mayParse) {
      const which = pipeline.hasUnanswered ? 'other' : 'fresh';
      if (!pipeline.toParse[which]) (which === 'fresh' ? this.fresh : this.others).push(pipeline);
      pipeline.toParse[which] = true;
      this.loop.schedule();
    }
  }

  private enqueue(pipeline: Pipeline): void {
    const first = pipeline.waiting[0];
    if (first === undefined || pipeline.isQueued) return;
    pipeline.isQueued = true;
    this.lanes.add(first.lane.name, pipeline);
    this.loop.schedule();
  }

  private work(ms: number): boolean {
    if (ms > 0) {
      this.parseFresh(performance.now() + ms);
      this.startWaiting(performance.now() + ms);
    }
    // In every turn: in the next one, the end of a connection would be read before its bytes are parsed, and later requests be lost.
    this.paused.holdAdded();
    return !this.lanes.isEmpty || this.fresh.size > 0 || this.others.size > 0;
  }

  private parseFresh(until: number): void {
    for (let one = this.fresh.shift(); one !== undefined; one = this.fresh.shift()) {
      one.toParse.fresh = false;
      this.parseOne(one);
      if (performance.now() >= until) break;
    }
  }

  private startWaiting(until: number): void {
    for (let cost = 0; cost < STARTED_AT_ONCE; ) {
      const pipeline = this.lanes.take();
      cost += pipeline?.waiting[0]?.lane.counts ? OTHER_COST : CALL_COST;
      if (pipeline !== undefined) this.startOne(pipeline);
      const other = this.others.shift();
      if (other !== undefined) {
        other.toParse.other = false;
        this.parseOne(other);
      }
      if ((pipeline === undefined && other === undefined) || performance.now() >= until) break;
    }
  }

  private parseOne(pipeline: Pipeline): void {
    if (!pipeline.mayParse) return;
    this.parse(pipeline);
    if (pipeline.unread.size === 0) this.paused.release(pipeline);
    else this.queueNext(pipeline);
  }

  private startOne(pipeline: Pipeline): void {
    pipeline.isQueued = false;
    const request = pipeline.mayStart ? pipeline.waiting.shift() : undefined;
    if (request === undefined) return;
    pipeline.running.push(request);
    const { response, lane } = request;
    if (lane.counts) request.started = this.lanes.begin(lane.name);
    this.handle(response.req, response);
    if (!pipeline.pause.isOn) return;
    // Nothing is left to parse where the request ended that.
    if (pipeline.isBroken) this.paused.release(pipeline);
    this.queueNext(pipeline);
  }

  private drop(pipeline: Pipeline): void {
    this.paused.remove(pipeline);
    pipeline.drop();
  }
}

function pipelineOf(socket: Socket): Pipeline | undefined {
  return (socket as PipelinedSocket)[PIPELINE];
}
