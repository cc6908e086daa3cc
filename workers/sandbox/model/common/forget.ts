import type { KeyType } from '../../../../src/state/state-key.ts';
import type { CallContext } from '../../../driver.ts';

/** The name of a key, and its type. */
export type TypedKey = [name: string, type: KeyType];

/**
 * What a reset of an account removes of one subject. A function that returns false has more to remove than fits one commit, and is called
 * again.
 */
export interface Forgetting {
  /** Keys that belong to one user only. */
  ownKeys?(userId: number): TypedKey[];
  /** Removes a user's data in other keys. */
  forget?(call: CallContext, userId: number): Promise<boolean>;
  /** Keys that belong to one channel only. */
  channelKeys?(channelId: number): TypedKey[];
  /** Removes a channel's data in other keys. */
  forgetChannel?(call: CallContext, channelId: number): Promise<boolean>;
}
