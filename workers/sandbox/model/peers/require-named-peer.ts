import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { findMessages } from '../boxes/messages.ts';
import { peersOf } from '../boxes/named-peers.ts';
import type { PeerKey } from '../common/keys.ts';
import { PerCall } from '../common/per-call.ts';
import type { ReadBudget } from '../common/read-budget.ts';
import { boxOf, type Peer } from './peer.ts';
import { peerKeyOf } from './tl-peer.ts';

/** The message that names a peer. */
export interface NamingMessage {
  peer: TlJson<tl.TypeInputPeer>;
  msgId: number;
}

/** A call names peers by more messages than it may. What leaves out unknown users must not leave out these. */
export class TooManyNaming extends MessengerError {
  constructor() {
    super('MSG_ID_INVALID');
  }
}

type Names = ReadonlySet<PeerKey>;

/** What a call has found out about messages that name peers. */
interface Naming {
  /** Whom each message names. */
  names: Map<string, Promise<Names>>;
  /** When the latest of them is read: they are read one after the other, as far as the budget goes. */
  latest: Promise<unknown>;
  budget: ReadBudget;
}

// For all peers that a call names.
const MESSAGES_MAX = 100;
const CHARACTERS_MAX = 1024 * 1024;

const namings = new PerCall<Naming>(() => ({
  names: new Map(),
  latest: Promise.resolve(),
  budget: { left: CHARACTERS_MAX },
}));

/**
 * Throws `error` unless the message names the peer: without a peer's access hash, a strict account may refer to it only by a message that
 * mentions it. Each message is read once in a call. Also throws `PEER_ID_INVALID` for a message whose own peer is named by a message, and
 * `MSG_ID_INVALID` for one that does not exist, and beyond 100 messages or 1 MiB of them in a call.
 */
export async function requireNamedPeer(
  call: CallContext,
  { peer, msgId }: NamingMessage,
  resolve: (peer: NamingMessage['peer']) => Promise<Peer>,
  { key, error }: { key: PeerKey; error: string },
): Promise<void> {
  if (peer._.endsWith('FromMessage')) throw new MessengerError('PEER_ID_INVALID');
  const naming = namings.of(call);
  const given = JSON.stringify([msgId, peer]);
  let names = naming.names.get(given);
  if (names === undefined) {
    if (naming.names.size >= MESSAGES_MAX) throw new TooManyNaming();
    names = findNames(call, naming, msgId, resolve(peer));
    naming.names.set(given, names);
  }
  if (!(await names).has(key)) throw new MessengerError(error);
}

async function findNames(
  call: CallContext,
  naming: Naming,
  msgId: number,
  source: Promise<Peer>,
): Promise<Names> {
  const peer = await source;
  const reading = naming.latest.then(() => readNames(call, naming, msgId, peer));
  naming.latest = reading.catch(() => undefined);
  return reading;
}

async function readNames(call: CallContext, { budget }: Naming, msgId: number, source: Peer): Promise<Names> {
  if (budget.left < 0) throw new TooManyNaming();
  const [found] = await findMessages(call, boxOf(call, source), [msgId], budget);
  if (budget.left < 0) throw new TooManyNaming();
  if (!found) throw new MessengerError('MSG_ID_INVALID');
  return new Set(peersOf(found.message).map(peerKeyOf));
}
