import type { Tenants } from '../src/directory/tenants.ts';
import type { CallingAccount } from '../src/queue/wire.ts';
import type { Transaction } from '../src/state/transaction.ts';
import type { MethodName, MethodParams, MethodResult } from '../src/tl/tl-json.ts';

/** All that a method works with: it reads through `tx.read`, and writes through `tx`. */
export interface CallContext {
  id: string;
  workspaceId: string;
  account: CallingAccount;
  tx: Transaction;
  /** Redis' time in seconds, like TL dates, when the method began; another one if it runs again. */
  date: number;
  signal: AbortSignal;
  /** Finds the organization of a workspace; absent if no calls of other tenants run in the process. */
  tenants?: Pick<Tenants, 'find'> | undefined;
  /** Schedules the driver's order `doDueWork` for the workspace at a date; absent if due work is not supported. */
  wakeAt?: ((date: number) => Promise<void>) | undefined;
  /** Commits something before the call's own commit, once even if the call runs again; absent if that is not supported. */
  ahead?: ((write: (tx: Transaction) => Promise<void>) => Promise<void>) | undefined;
  /** Whether the call may wait for something other than Redis. If it must wait and may not, it throws `NeedsSlowLane`. */
  mayWait: boolean;
  /**
   * Whether all random ids in the params were derived from the call's own id or its Idempotency-Key, so that no other call has the same ones
   * but for a later use of the key.
   */
  drawsRandomIds: boolean;
  /** How often the call has run before and something it read had changed by its commit. */
  conflicts: number;
}

/** A method as a driver executes it. It runs again from the start if something it read has changed by the commit. */
export interface Method<Name extends MethodName = MethodName> {
  readonly name: Name;
  run(params: MethodParams<Name>, call: CallContext): Promise<MethodResult<Name>>;
}

/** Binds a TL method's name to the function that executes it, so that its params and result are checked by the compiler. */
export function defineMethod<Name extends MethodName>(
  name: Name,
  run: (params: MethodParams<Name>, call: CallContext) => Promise<MethodResult<Name>>,
): Method<Name> {
  return { name, run };
}

/** An order from the management API to a driver, by name; it runs like a call and commits like one. */
export type ControlOrder = (payload: unknown, call: CallContext) => Promise<object>;

/** The interface between Switchboard and a messenger. */
export interface Driver {
  readonly name: string;
  /** The executed methods, by full name. */
  readonly methods: ReadonlyMap<string, Method>;
  /** Orders by name: `connectAccount`, `disconnectAccount`, and others that the management API may send to this driver. */
  readonly orders: ReadonlyMap<string, ControlOrder>;
  /** When `doDueWork` has something to do in the workspace of `tx`, in ms since the epoch; null for never. Absent if it never has. */
  findDueWork?(tx: Transaction): Promise<number | null>;
  /** The fault that is injected into this call, if any. */
  findFault(method: string, call: CallContext): Promise<Fault | null>;
}

/** An injected fault, already consumed in `call.tx`. */
export type Fault =
  | { error: string }
  | { delayMs: number }
  /** The call runs, and then its caller's connection is closed without an answer. */
  | { disconnect: true }
  | { crash: true };

/** The call has to wait for something other than Redis, which it must not do in a shared batch. */
export class NeedsSlowLane extends Error {
  override name = 'NeedsSlowLane';
}

/** The messenger refuses the call; `name` is one of the schema's error names, such as `PEER_ID_INVALID` or `FLOOD_WAIT_5`. */
export class MessengerError extends Error {
  override name = 'MessengerError';
  readonly error: string;

  constructor(error: string) {
    super(error);
    this.error = error;
  }
}
