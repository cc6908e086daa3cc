import { randomBytes } from 'node:crypto';
import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import type { PeerKey } from '../common/keys.ts';
import { invitesKey } from './keys.ts';

/** An invite link to a basic group or channel. */
export interface InviteRecord {
  hash: string;
  adminId: number;
  date: number;
  /** How many users have joined by it. */
  usage: number;
  /** Whether it is the permanent link of an administrator. */
  permanent?: true;
  title?: string;
  expireDate?: number;
  usageLimit?: number;
  revoked?: true;
}

type TlInvite = TlJson<tl.RawChatInviteExported>;

const PREFIX = 'https://t.me/+';
const LINK = /^(?:https?:\/\/)?t\.me\/(?:\+|joinchat\/)([\w-]+)$/;
const BYTES = 16;
// The characters before are the same for all links of a group or channel.
const SHOWN = [10, 18] as const;
/** How many links a group or channel may have, revoked ones included. */
export const INVITES_MAX = 200;
const ID_BYTES = 6;

/** A hash that contains its group or channel, so that the link is found among those of that group or channel. */
export function newInviteHash(peer: PeerKey): string {
  const bytes = randomBytes(BYTES);
  bytes[0] = peer.charCodeAt(0);
  bytes.writeUIntBE(Number(peer.slice(1)), 1, ID_BYTES);
  return bytes.toString('base64url');
}

/** The group or channel that a hash is of. Errors: `INVITE_HASH_EMPTY`, `INVITE_HASH_INVALID`. */
export function peerOfHash(hash: string): PeerKey {
  if (hash === '') throw new MessengerError('INVITE_HASH_EMPTY');
  const bytes = Buffer.from(hash.slice(0, 2 * BYTES), 'base64url');
  const kind = String.fromCharCode(bytes[0] ?? 0);
  const isWellFormed = bytes.length === BYTES && bytes.toString('base64url') === hash;
  if (!isWellFormed || (kind !== 'g' && kind !== 'c')) throw new MessengerError('INVITE_HASH_INVALID');
  return `${kind}${bytes.readUIntBE(1, ID_BYTES)}`;
}

/** The hash in a link; any other text is taken as the hash. */
export function hashOfLink(link: string): string {
  return LINK.exec(link.slice(0, 100))?.[1] ?? link;
}

/** The stored link with this hash, or null. */
export async function findInvite(
  { tx }: CallContext,
  peer: PeerKey,
  hash: string,
): Promise<InviteRecord | null> {
  const raw = await tx.read.hget(tx.key(invitesKey(peer)), hash);
  return raw === null ? null : (JSON.parse(raw) as InviteRecord);
}

/** The links of a group or channel: the permanent ones first, as clients expect, and otherwise the newest. */
export async function listInvites({ tx }: CallContext, peer: PeerKey): Promise<InviteRecord[]> {
  const found = await tx.read.hvals(tx.key(invitesKey(peer)));
  return found.map((raw) => JSON.parse(raw) as InviteRecord).toSorted(compareInvites);
}

/** The order of a list of links. */
export function compareInvites(a: InviteRecord, b: InviteRecord): number {
  if (rankOf(a) !== rankOf(b)) return rankOf(b) - rankOf(a);
  if (a.date !== b.date) return b.date - a.date;
  return a.hash === b.hash ? 0 : a.hash < b.hash ? -1 : 1;
}

function rankOf({ permanent, revoked }: InviteRecord): number {
  return permanent && !revoked ? 1 : 0;
}

/** The calling account's permanent link to a group or channel, or null. */
export async function findPermanentInvite(call: CallContext, peer: PeerKey): Promise<InviteRecord | null> {
  return (await listInvites(call, peer)).find((one) => isPermanentOf(one, call.account.userId)) ?? null;
}

function isPermanentOf(invite: InviteRecord, adminId: number): boolean {
  return invite.adminId === adminId && rankOf(invite) > 0;
}

/** Creates the permanent link of an administrator who has none. */
export function addPermanentInvite(call: CallContext, peer: PeerKey, adminId: number): InviteRecord {
  const hash = newInviteHash(peer);
  const invite: InviteRecord = { hash, adminId, date: call.date, usage: 0, permanent: true };
  putInvite(call, peer, invite);
  return invite;
}

/** Creates the permanent link of an administrator, unless there is one, or no room for it. */
export async function ensurePermanentInvite(
  call: CallContext,
  peer: PeerKey,
  adminId: number,
): Promise<void> {
  const all = await listInvites(call, peer);
  if (all.length < INVITES_MAX && !all.some((one) => isPermanentOf(one, adminId)))
    addPermanentInvite(call, peer, adminId);
}

/** Stores a link, new or changed. */
export function putInvite({ tx }: CallContext, peer: PeerKey, invite: InviteRecord): void {
  tx.hset(invitesKey(peer), invite.hash, invite);
}

/** Whether a link is valid at the time. */
export function isOpenInvite(
  { revoked, expireDate, usageLimit, usage }: InviteRecord,
  date: number,
): boolean {
  const isExpired = expireDate !== undefined && expireDate <= date;
  return !revoked && !isExpired && (usageLimit === undefined || usage < usageLimit);
}

/** A link as bots see it that did not create it: shortened, so that they cannot use it. */
export function toHiddenInvite(invite: InviteRecord): TlInvite {
  return { ...toTlInvite(invite), link: `${PREFIX}${invite.hash.slice(...SHOWN)}…` };
}

export function toTlInvite({ hash, adminId, date, usage, ...more }: InviteRecord): TlInvite {
  const { permanent, revoked, title, expireDate, usageLimit } = more;
  return {
    _: 'chatInviteExported',
    ...(revoked ? { revoked } : {}),
    ...(permanent ? { permanent } : {}),
    link: `${PREFIX}${hash}`,
    adminId,
    date,
    ...(expireDate === undefined ? {} : { expireDate }),
    ...(usageLimit === undefined ? {} : { usageLimit }),
    ...(usage === 0 ? {} : { usage }),
    ...(title === undefined ? {} : { title }),
  };
}
