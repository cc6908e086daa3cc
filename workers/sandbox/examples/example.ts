import type { MethodParams } from '../../../src/tl/tl-json.ts';
import type { CallContext } from '../../driver.ts';
import type { ExecutedMethod } from '../methods.ts';
import type { Seeded } from '../model/people/seeded.ts';
import type { UserRecord } from '../model/people/users.ts';

/** What an example is made of: the account it is for, and what was seeded for it. */
export interface Exemplar {
  call: CallContext;
  self: UserRecord;
  ids: Seeded;
}

/** The params of a call that succeeds, for this account; null where what it would act on is not there (any more). */
export type Example<Name extends ExecutedMethod> = (
  exemplar: Exemplar,
) => Shown<MethodParams<Name>> | null | Promise<Shown<MethodParams<Name>> | null>;

/** The examples of some methods, by name. */
export type Examples = { readonly [Name in ExecutedMethod]?: Example<Name> };

// A caller may leave `randomId` out.
type Shown<Params> = Omit<Params, 'randomId'> & Partial<Pick<Params, Extract<keyof Params, 'randomId'>>>;

export const SELF = { _: 'inputPeerSelf' } as const;

/** The whole of a history, newest first. */
export const WINDOW = {
  offsetId: 0,
  offsetDate: 0,
  addOffset: 0,
  limit: 20,
  maxId: 0,
  minId: 0,
  hash: '0',
};

/** A window over messages that are listed by id alone. */
export const ID_WINDOW = { offsetId: 0, addOffset: 0, limit: 20, maxId: 0, minId: 0 };
