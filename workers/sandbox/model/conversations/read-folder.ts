import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import type { PeerKey } from '../common/keys.ts';
import type { Peer } from '../peers/peer.ts';
import { isForeignHash, resolvePeer } from '../peers/resolve-peer.ts';
import { keyOfInput } from '../peers/tl-peer.ts';
import { toStoredEntities } from '../text/entities.ts';
import type { Folder } from './folders.ts';

type InputPeer = TlJson<tl.TypeInputPeer>;
type PeerList = 'pinnedPeers' | 'includePeers' | 'excludePeers';

const PEER_LISTS: readonly PeerList[] = ['pinnedPeers', 'includePeers', 'excludePeers'];
const KINDS = ['contacts', 'nonContacts', 'groups', 'broadcasts', 'bots'] as const;

// The limit for an account without Premium. Source: core.telegram.org/api/config.
const PEERS_MAX = 100;
const TITLE_MAX = 12;
const EMOTICON_MAX = 16;

/**
 * Converts a folder to its stored form and checks its peers. Peers that it had `before` may be such that the account no longer reaches.
 * Errors: `FILTER_TITLE_EMPTY`, `MESSAGE_TOO_LONG` for more than 12 characters, `PEER_ID_INVALID` also for more than 100 peers,
 * `FILTER_INCLUDE_EMPTY`.
 */
export async function readFolder(
  call: CallContext,
  id: number,
  given: Folder,
  before: Folder | undefined,
): Promise<Folder> {
  const { text } = given.title;
  if (text.trim() === '') throw new MessengerError('FILTER_TITLE_EMPTY');
  if (text.length > TITLE_MAX || (given.emoticon ?? '').length > EMOTICON_MAX)
    throw new MessengerError('MESSAGE_TOO_LONG');
  if (PEER_LISTS.reduce((sum, list) => sum + given[list].length, 0) > PEERS_MAX)
    throw new MessengerError('PEER_ID_INVALID');
  const kept = peersIn(before);
  const [entities, ...lists] = await Promise.all([
    toStoredEntities(call, text, given.title.entities),
    ...PEER_LISTS.map((list) => readPeers(call, given[list], kept)),
  ]);
  const [pinnedPeers = [], includePeers = [], excludePeers = []] = lists;
  const isEmpty = pinnedPeers.length + includePeers.length === 0 && !KINDS.some((kind) => given[kind]);
  if (isEmpty) throw new MessengerError('FILTER_INCLUDE_EMPTY');
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== false)) as Folder;
  return { ...set, id, title: { ...given.title, entities }, pinnedPeers, includePeers, excludePeers };
}

type PeersByKey = ReadonlyMap<PeerKey, InputPeer>;

function peersIn(folder: Folder | undefined): PeersByKey {
  const peers = folder ? PEER_LISTS.flatMap((list) => folder[list]) : [];
  return new Map(peers.map((peer) => [keyOfInput(peer) as PeerKey, peer]));
}

async function readPeers(
  call: CallContext,
  given: readonly InputPeer[],
  kept: PeersByKey,
): Promise<InputPeer[]> {
  const peers = await Promise.all(given.map((one) => readPeer(call, one, kept)));
  return [...new Map(peers).values()];
}

// A folder with a group or channel that the account has left since could not be edited otherwise.
async function readPeer(
  call: CallContext,
  given: InputPeer,
  kept: PeersByKey,
): Promise<[PeerKey, InputPeer]> {
  try {
    const peer = await resolvePeer(call, given, { left: true });
    return [peer.key, toInputPeer(peer)];
  } catch (error) {
    const key = keyOfInput(given);
    const before = key === null ? undefined : kept.get(key);
    if (key === null || !before || !(error instanceof MessengerError)) throw error;
    if (isForeignHash(call, hashOf(given), hashOf(before) ?? '')) throw error;
    return [key, before];
  }
}

function hashOf(peer: InputPeer): string | null {
  return 'accessHash' in peer ? peer.accessHash : null;
}

function toInputPeer(peer: Peer): InputPeer {
  const { id } = peer;
  if (peer.kind === 'chat') return { _: 'inputPeerChat', chatId: id };
  return peer.kind === 'user'
    ? { _: 'inputPeerUser', userId: id, accessHash: peer.user.accessHash }
    : { _: 'inputPeerChannel', channelId: id, accessHash: peer.channel.accessHash };
}
