import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { findBans } from '../chats/bans.ts';
import { isAdmin } from '../chats/channel-members.ts';
import { findMember } from '../chats/chats.ts';
import { banListKey } from '../chats/keys.ts';
import { inForce } from '../chats/rights.ts';
import type { ChannelPeer } from '../peers/peer.ts';
import { findContacts } from '../people/contacts.ts';
import { findUsers } from '../people/users.ts';
import { listMembers, type Participant } from './participants.ts';

type Filter = MethodParams<'channels.getParticipants'>['filter'];

/** A page of a list of participants, and how many there are in all. */
export interface ParticipantsPage {
  participants: Participant[];
  count: number;
}

/** A search by name covers only this many of the newest banned users. */
const BANNED_SEARCHED = 200;

/** The participants that pass a filter. Error: `CHAT_ADMIN_REQUIRED` for banned users. */
export async function findParticipants(
  call: CallContext,
  peer: ChannelPeer,
  filter: Filter,
  { offset, limit }: { offset: number; limit: number },
): Promise<ParticipantsPage> {
  if (filter._ === 'channelParticipantsKicked' || filter._ === 'channelParticipantsBanned') {
    if (!isAdmin(peer.member)) throw new MessengerError('CHAT_ADMIN_REQUIRED');
    const kind = filter._ === 'channelParticipantsKicked' ? 'kicked' : 'restricted';
    return findBanned(call, peer, { kind, q: filter.q, offset, limit });
  }
  const members = await passing(call, await listMembers(call, peer.id), filter);
  return { participants: members.slice(offset, offset + limit), count: members.length };
}

async function passing(call: CallContext, members: Participant[], filter: Filter): Promise<Participant[]> {
  switch (filter._) {
    case 'channelParticipantsRecent':
      return members;
    case 'channelParticipantsAdmins':
      return members.filter(({ member }) => isAdmin(member));
    case 'channelParticipantsBots': {
      const users = await findUsers(call, idsOf(members));
      return members.filter((_, i) => users[i]?.bot === true);
    }
    case 'channelParticipantsContacts': {
      const contacts = await findContacts(call, idsOf(members));
      const known = members.filter((_, i) => contacts[i] != null);
      return named(call, known, filter.q);
    }
    default:
      return named(call, members, 'q' in filter ? (filter.q ?? '') : '');
  }
}

async function findBanned(
  call: CallContext,
  { id }: ChannelPeer,
  { kind, q, offset, limit }: { kind: 'kicked' | 'restricted'; q: string; offset: number; limit: number },
): Promise<ParticipantsPage> {
  const { read } = call.tx;
  const key = call.tx.key(banListKey(id, kind));
  const [from, length] = q === '' ? [offset, limit] : [0, BANNED_SEARCHED];
  const [total, ids] = await Promise.all([
    read.zcard(key),
    length === 0 ? [] : read.zrevrange(key, from, from + length - 1),
  ]);
  const [bans, members] = await Promise.all([
    findBans(call, id, ids),
    Promise.all(ids.map((userId) => findMember(call, id, Number(userId)))),
  ]);
  const listed = ids.map((userId, i) => ({
    userId: Number(userId),
    member: members[i] ?? null,
    ban: inForce(bans[i], call.date),
  }));
  // A ban that has just ended is about to be lifted.
  const banned = listed.filter(({ ban }) => ban !== null);
  if (q === '') return { participants: banned, count: total - listed.length + banned.length };
  const found = await named(call, banned, q);
  return { participants: found.slice(offset, offset + limit), count: found.length };
}

// By the names of a user, and those that the account has given it.
async function named(call: CallContext, all: Participant[], q: string): Promise<Participant[]> {
  const wanted = q.trim().toLowerCase();
  if (wanted === '') return all;
  const ids = idsOf(all);
  const [users, contacts] = await Promise.all([findUsers(call, ids), findContacts(call, ids)]);
  return all.filter((_, i) => {
    const user = users[i];
    if (!user) return false;
    // Nobody sees any more what a deleted user was called.
    const own = user.deleted ? {} : user;
    const names = [...namesOf(own), ...namesOf(contacts[i] ?? {}), user.username ?? ''];
    return names.some((name) => name.toLowerCase().startsWith(wanted));
  });
}

function namesOf({ firstName = '', lastName = '' }: { firstName?: string; lastName?: string }): string[] {
  const name = `${firstName} ${lastName}`.trim();
  return name === '' ? [] : [...name.split(' '), name, lastName];
}

function idsOf(all: readonly Participant[]): number[] {
  return all.map(({ userId }) => userId);
}
