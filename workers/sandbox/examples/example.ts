import type { MethodName, MethodParams } from '../../../src/tl/tl-json.ts';
import type { CallContext } from '../../driver.ts';
import type { Seeded } from '../model/people/seeded.ts';
import type { UserRecord } from '../model/people/users.ts';

/** The input of an example: the account, and the objects seeded for it. */
export interface ExampleContext {
  call: CallContext;
  self: UserRecord;
  ids: Seeded;
}

/** The params of a call that succeeds for this account; null if what the call would act on does not exist (any more). */
export type Example<Name extends MethodName> = (
  context: ExampleContext,
) => Shown<MethodParams<Name>> | null | Promise<Shown<MethodParams<Name>> | null>;

// A caller may leave `randomId` out.
type Shown<Params> = Omit<Params, 'randomId'> & Partial<Pick<Params, Extract<keyof Params, 'randomId'>>>;
