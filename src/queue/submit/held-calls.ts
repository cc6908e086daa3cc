import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Pause, Pauses } from '../../control/pauses.ts';
import { Problem } from '../../problem.ts';
import type { Admission } from './admission.ts';
import type { Caller, CallRequest } from './pending-call.ts';

const RETRY_AFTER_SECONDS = 5;

// The part of the room that held calls may take: of a workspace, of an organization, and of all together.
const PART_OF_WORKSPACE = 20;
const PART_OF_ORGANIZATION = 8;
const PART_OF_ALL = 4;

// How many calls resume in one turn of the event loop.
const RESUMED_A_TURN = 50;

// A call whose time is over when it resumes still goes on, so that it ends as timed out.
const TIME_MIN_MS = 1;

const NOUNS: Record<Pause['target']['kind'], string> = {
  workspace: 'of this workspace',
  account: 'of this messenger account',
  method: 'of this method',
  lane: 'like this one',
};

interface Held {
  call: CallRequest;
  end(problem: Problem | null): void;
}

interface Room {
  calls: number;
  bytes: number;
}

export interface HeldCallsOptions {
  pauses: Pauses;
  admission: Pick<Admission, 'holding' | 'countPaused'>;
  /**
   * How many calls may be in flight, and their bytes. A quarter of these may be held; an eighth by one organization, a twentieth by one
   * workspace; of the number, but not of the bytes, one each at least.
   */
  bounds: { readonly inFlightMax: number; readonly bytesInFlightMax: number };
}

/** Reduces a call's timeout by the time since `since`, by this process's monotonic clock. */
export function takeTime(call: CallRequest, since: number): void {
  call.timeoutMs = Math.max(TIME_MIN_MS, Math.floor(call.timeoutMs - (performance.now() - since)));
}

/** Holds paused calls, or refuses them. */
export class HeldCalls {
  private readonly options: HeldCallsOptions;
  private readonly held = new Map<number, Held>();
  private opened = 0;
  private readonly rooms = new Map<string, Room>();
  private readonly all: Room = { calls: 0, bytes: 0 };
  private isClosed = false;

  private readonly cancel = (number: number) => this.held.get(number)?.end(new Problem('canceled'));

  constructor(options: HeldCallsOptions) {
    this.options = options;
    options.pauses.onChange(() => void this.resume());
  }

  /** How many calls are held. */
  get count(): number {
    return this.held.size;
  }

  /**
   * Returns null for a call that is not paused. Otherwise resolves once the call may go on, with its timeout reduced by the wait. Rejects
   * with `paused` if the call is refused or its time ends first, and with `canceled` if `caller` is gone.
   */
  pass(call: CallRequest, caller: Caller): Promise<void> | null {
    const pause = this.options.pauses.find(call, call.lane);
    return pause === null ? null : this.hold(call, caller, pause);
  }

  /** Throws `paused` for an async call that is refused. An async call that has to wait is recorded and waits there. */
  check(call: Parameters<Pauses['find']>[0]): void {
    const pause = this.options.pauses.find(call, 'async');
    if (pause?.mode === 'refuse') throw this.refusal(call.workspaceId, pause);
  }

  /** Ends all held calls because the process stops, and holds no more. */
  close(): void {
    this.isClosed = true;
    for (const { end } of this.held.values()) end(shuttingDown());
  }

  private async hold(call: CallRequest, caller: Caller, pause: Pause): Promise<void> {
    const { admission } = this.options;
    if (pause.mode === 'refuse') throw this.refusal(call.workspaceId, pause);
    if (caller.destroyed) throw new Problem('canceled');
    // It may have arrived before the process began to stop, as a call of a large bulk. Nothing would end it.
    if (this.isClosed) throw shuttingDown();
    if (!this.hasRoom(call))
      throw this.refusal(call.workspaceId, pause, ' No more calls can wait for the end of the pause.');
    const heldAt = performance.now();
    await admission.holding(call, call.bytes, () => this.wait(call, caller), false);
    call.trace?.hop('paused');
    takeTime(call, heldAt);
  }

  private wait(call: CallRequest, caller: Caller): Promise<void> {
    this.opened += 1;
    const number = this.opened;
    return new Promise((resolve, reject) => {
      const held: Held = {
        call,
        end: (problem) => {
          if (!this.held.delete(number)) return;
          clearTimeout(timer);
          this.occupy(call, -1);
          if (problem === null) resolve();
          else reject(problem);
        },
      };
      const timer = setTimeout(() => {
        const pause = this.options.pauses.find(call, call.lane);
        held.end(pause === null ? null : this.refusal(call.workspaceId, pause));
      }, call.timeoutMs);
      this.held.set(number, held);
      this.occupy(call, 1);
      // Bound to the number alone: what listens stays as long as the caller, such as a bulk, and the call with its params must not.
      caller.on('close', this.cancel.bind(null, number));
    });
  }

  private async resume(): Promise<void> {
    let ended = 0;
    for (const [number, { call, end }] of [...this.held]) {
      const pause = this.options.pauses.find(call, call.lane);
      // A call that has ended meanwhile must not be counted as refused.
      if (pause?.mode === 'wait' || !this.held.has(number)) continue;
      end(pause === null ? null : this.refusal(call.workspaceId, pause));
      ended += 1;
      if (ended % RESUMED_A_TURN === 0) await nextTurn();
    }
  }

  private hasRoom({ workspaceId, organizationId, bytes }: CallRequest): boolean {
    const { inFlightMax, bytesInFlightMax } = this.options.bounds;
    const fits = (room: Room, part: number) =>
      room.calls + 1 <= Math.max(1, inFlightMax / part) && room.bytes + bytes <= bytesInFlightMax / part;
    return (
      fits(this.roomOf(workspaceId), PART_OF_WORKSPACE) &&
      fits(this.roomOf(organizationId), PART_OF_ORGANIZATION) &&
      fits(this.all, PART_OF_ALL)
    );
  }

  private occupy({ workspaceId, organizationId, bytes }: CallRequest, sign: 1 | -1): void {
    const add = (room: Room) => {
      room.calls += sign;
      room.bytes += sign * bytes;
    };
    add(this.all);
    for (const id of [workspaceId, organizationId]) {
      const room = this.roomOf(id);
      add(room);
      if (room.calls === 0) this.rooms.delete(id);
      else this.rooms.set(id, room);
    }
  }

  private roomOf(id: string): Room {
    return this.rooms.get(id) ?? { calls: 0, bytes: 0 };
  }

  private refusal(workspaceId: string, { target, reason }: Pause, more = ''): Problem {
    this.options.admission.countPaused(workspaceId);
    const why = reason === null ? '' : `: ${reason.replace(/\.$/, '')}`;
    const detail = `Calls ${NOUNS[target.kind]} are paused${why}. This attempt has not run.${more} Repeat it after as many seconds as \`Retry-After\` says.`;
    return new Problem('paused', { detail, headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
  }
}

function shuttingDown(): Problem {
  return new Problem('shutting_down', { headers: { 'retry-after': '1' } });
}
