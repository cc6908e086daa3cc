import type { KeyType } from '../../../../src/state/state-key.ts';
import type { CallContext } from '../../../driver.ts';

/** The name of a key, and its type. */
export type TypedKey = [name: string, type: KeyType];

/**
 * What a reset of an account removes of one subject. Whatever returns false has more to do than fits one commit, and is to be
 * asked again.
 */
export interface Forgetting {
  /** Keys that hold what is one user's own and nobody else's. */
  ownKeys?(userId: number): TypedKey[];
  /** Removes what a user has elsewhere. */
  forget?(call: CallContext, userId: number): Promise<boolean>;
  /** Keys that hold what is one channel's own. */
  channelKeys?(channelId: number): TypedKey[];
  /** Removes what a channel has elsewhere. */
  forgetChannel?(call: CallContext, channelId: number): Promise<boolean>;
}
