import type { Tenants } from '../src/directory/tenants.ts';
import type { CallingAccount } from '../src/queue/wire.ts';
import type { Transaction } from '../src/state/transaction.ts';
import type { MethodName, MethodParams, MethodResult } from '../src/tl/tl-json.ts';

/** What a method gets to work with: read through `tx.read`, change through `tx`, and nothing else. */
export interface CallContext {
  id: string;
  workspaceId: string;
  account: CallingAccount;
  tx: Transaction;
  /** Redis' time in seconds, as TL dates are. */
  date: number;
  signal: AbortSignal;
  /** Tells which organization a workspace is of; absent where calls of others do not run beside. */
  tenants?: Pick<Tenants, 'find'> | undefined;
  /** Has the driver's order `doDueWork` run for the workspace at a date; absent where nothing is done later. */
  wakeAt?: ((date: number) => Promise<void>) | undefined;
  /** Commits something before the call ends, once however often it runs; absent where nobody waits for that. */
  ahead?: ((write: (tx: Transaction) => Promise<void>) => Promise<void>) | undefined;
  /** Whether the call may wait for something other than Redis; one that may not and has to throws `NeedsSlowLane`. */
  mayWait: boolean;
  /** Whether random ids that its params have were drawn from its own id alone: no other call has them. */
  drawsRandomIds: boolean;
}

/** A method as a driver executes it. It may be run again from the start when what it read has changed by the commit. */
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

/** The port: what a messenger must be able to do. */
export interface Driver {
  readonly name: string;
  /** The executed methods, by full name. */
  readonly methods: ReadonlyMap<string, Method>;
  /** `connectAccount` and `disconnectAccount`, and what else the management API may ask of this driver. */
  readonly orders: ReadonlyMap<string, ControlOrder>;
  /** What is to happen to this call instead of, or before, running it; null for nothing. */
  findFault(method: string, call: CallContext): Promise<Fault | null>;
}

/** An injected fault, already consumed in `call.tx`. */
export type Fault =
  | { error: string }
  | { delayMs: number }
  /** The call runs, and its caller's connection is closed instead of an answer. */
  | { disconnect: true }
  | { crash: true };

/** The call would have to wait for something other than Redis, and must not do so in a batch that others share. */
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
