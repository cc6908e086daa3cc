import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import type { ContactRecord } from './contacts.ts';

/** What a client offers to do when a chat with a user is opened. */
export function toPeerSettings(
  { account }: CallContext,
  userId: number,
  contact: ContactRecord | null,
): TlJson<tl.RawPeerSettings> {
  const isKnown = userId === account.userId || contact !== null;
  return { _: 'peerSettings', ...(isKnown ? {} : { addContact: true, blockContact: true }) };
}
