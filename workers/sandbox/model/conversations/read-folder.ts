import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import type { Peer } from '../peers/peer.ts';
import { resolvePeer } from '../peers/resolve-peer.ts';
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
 * Converts a folder to its stored form and checks its peers. Errors: `FILTER_TITLE_EMPTY`, `MESSAGE_TOO_LONG` for more than 12 characters,
 * `PEER_ID_INVALID` also for more than 100 peers, `FILTER_INCLUDE_EMPTY`.
 */
export async function readFolder(call: CallContext, id: number, given: Folder): Promise<Folder> {
  const { text } = given.title;
  if (text.trim() === '') throw new MessengerError('FILTER_TITLE_EMPTY');
  if (text.length > TITLE_MAX || (given.emoticon ?? '').length > EMOTICON_MAX)
    throw new MessengerError('MESSAGE_TOO_LONG');
  if (PEER_LISTS.reduce((sum, list) => sum + given[list].length, 0) > PEERS_MAX)
    throw new MessengerError('PEER_ID_INVALID');
  const [entities, ...lists] = await Promise.all([
    toStoredEntities(call, text, given.title.entities),
    ...PEER_LISTS.map((list) => readPeers(call, given[list])),
  ]);
  const [pinnedPeers = [], includePeers = [], excludePeers = []] = lists;
  const isEmpty = pinnedPeers.length + includePeers.length === 0 && !KINDS.some((kind) => given[kind]);
  if (isEmpty) throw new MessengerError('FILTER_INCLUDE_EMPTY');
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== false)) as Folder;
  return { ...set, id, title: { ...given.title, entities }, pinnedPeers, includePeers, excludePeers };
}

async function readPeers(call: CallContext, given: readonly InputPeer[]): Promise<InputPeer[]> {
  const peers = await Promise.all(given.map((one) => resolvePeer(call, one, { left: true })));
  return [...new Map(peers.map((peer) => [peer.key, toInputPeer(peer)])).values()];
}

function toInputPeer(peer: Peer): InputPeer {
  const { id } = peer;
  if (peer.kind === 'chat') return { _: 'inputPeerChat', chatId: id };
  return peer.kind === 'user'
    ? { _: 'inputPeerUser', userId: id, accessHash: peer.user.accessHash }
    : { _: 'inputPeerChannel', channelId: id, accessHash: peer.channel.accessHash };
}
