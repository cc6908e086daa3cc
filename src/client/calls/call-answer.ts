import type { MethodName } from '../../tl/tl-json.ts';
import type { CallResult } from './call-types.ts';

/** The answer of a call. */
export interface CallAnswer<Name extends MethodName> {
  /** The result, a TL object. */
  result: CallResult<Name>;
  /** The call's transaction number. */
  txid: number;
}

/** A prepared call, which has not been made. */
export interface PreparedCall<Name extends MethodName = MethodName> {
  readonly workspaceId: string;
  readonly accountId: string;
  readonly method: Name;
  readonly params: object;
  readonly idempotencyKey: string;
}
