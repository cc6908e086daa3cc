import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { findUsers, getSelf, type UserRecord } from '../people/users.ts';
import { findAllowing } from '../privacy/privacy.ts';

type Message = TlJson<tl.RawMessage>;
type Header = TlJson<tl.RawMessageFwdHeader>;

/** The names of authors and forwarders who do not let other messages link to them, by user id. */
export type HiddenNames = ReadonlyMap<number, string>;

/** The hidden names among the authors and senders of messages, as the calling account may see them. */
export async function findHiddenNames(call: CallContext, messages: readonly Message[]): Promise<HiddenNames> {
  const self = await getSelf(call);
  const peers = messages.flatMap(({ fromId, fwdFrom }) => [fromId, fwdFrom?.fromId]);
  const ids = [...new Set(peers.map(userIdOf))].filter((id): id is number => id !== null && id !== self.id);
  const users = (await findUsers(call, ids)).filter((user) => user !== null);
  return listHiddenNames(call, users, self);
}

/** The name of a user who does not let messages that the calling account (`self`) forwards link to it; null if it does. */
export async function findHiddenName(
  call: CallContext,
  user: UserRecord,
  self: UserRecord,
): Promise<string | null> {
  return (await listHiddenNames(call, [user], self)).get(user.id) ?? null;
}

async function listHiddenNames(
  call: CallContext,
  users: readonly UserRecord[],
  self: UserRecord,
): Promise<HiddenNames> {
  const ids = users.map(({ id }) => id);
  const allowing = await findAllowing(call, ids, 'privacyKeyForwards', self);
  const hidden = users.filter(({ id }) => !allowing.has(id));
  return new Map(hidden.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName ?? ''}`.trim()]));
}

/** A message's author and date, as another message shows them. */
export function originOf(message: Message, hiddenNames: HiddenNames): Header {
  const { fromId, ...origin } = message.fwdFrom ? keptOrigin(message.fwdFrom) : ownOrigin(message);
  const hidden = hiddenNameOf(fromId, hiddenNames);
  if (hidden !== undefined) return { ...origin, fromName: hidden };
  return { ...origin, ...(fromId ? { fromId } : {}) };
}

/** Who has forwarded a message and when, as a copy that is saved from there shows it. */
export function forwarderOf({ fwdFrom, fromId, date }: Message, hiddenNames: HiddenNames): Partial<Header> {
  if (!fwdFrom || !fromId) return {};
  const hidden = hiddenNameOf(fromId, hiddenNames);
  return { ...(hidden === undefined ? { savedFromId: fromId } : { savedFromName: hidden }), savedDate: date };
}

function hiddenNameOf(peer: Message['fromId'], hiddenNames: HiddenNames): string | undefined {
  const userId = userIdOf(peer);
  return userId === null ? undefined : hiddenNames.get(userId);
}

function userIdOf(peer: Message['fromId']): number | null {
  return peer?._ === 'peerUser' ? peer.userId : null;
}

// A message that was forwarded before keeps its original author, and loses the peer that it was saved from.
function keptOrigin({ fromId, fromName, date, channelPost, postAuthor }: Header): Header {
  return {
    _: 'messageFwdHeader',
    date,
    ...(fromId ? { fromId } : {}),
    ...(fromName === undefined ? {} : { fromName }),
    ...(channelPost === undefined ? {} : { channelPost }),
    ...(postAuthor === undefined ? {} : { postAuthor }),
  };
}

function ownOrigin({ date, post, peerId, fromId, id, postAuthor }: Message): Header {
  if (!post) return { _: 'messageFwdHeader', date, fromId: fromId ?? peerId };
  const author = postAuthor === undefined ? {} : { postAuthor };
  return { _: 'messageFwdHeader', date, fromId: peerId, channelPost: id, ...author };
}
