import type { CallContext } from '../../../driver.ts';
import { joinedKey, membersKey } from '../chats/keys.ts';
import { PASSKEY_CHALLENGES, PASSKEY_OWNERS, passkeysKey } from '../passkeys/keys.ts';
import { ownThemesKey, themeUsersKey } from '../themes/keys.ts';
import { endCall } from './active-calls.ts';
import { activeCallField, type GroupCallRecord } from './group-calls.ts';
import { ACTIVE_CALLS, GROUP_CALLS, RTMP_KEYS } from './keys.ts';

const AT_ONCE = 100;

/** Undoes where a user stands in what is not its own: channels, lists of themes, owners of passkeys, and its live story. */
export async function forgetSettings(call: CallContext, userId: number): Promise<void> {
  await Promise.all([
    leaveChannels(call, userId),
    dropThemes(call, userId),
    forgetPasskeys(call, userId),
    endLiveStory(call, userId),
  ]);
}

async function leaveChannels({ tx }: CallContext, userId: number): Promise<void> {
  const joined = await tx.read.smembers(tx.key(joinedKey(userId)));
  for (const channelId of joined.slice(0, AT_ONCE)) tx.hdel(membersKey(Number(channelId)), userId);
}

async function dropThemes({ tx }: CallContext, userId: number): Promise<void> {
  const themes = await tx.read.zrange(tx.key(ownThemesKey(userId)), '0', String(AT_ONCE - 1));
  for (const themeId of themes) tx.srem(themeUsersKey(themeId), userId);
}

async function forgetPasskeys({ tx }: CallContext, userId: number): Promise<void> {
  const credentials = await tx.read.hkeys(tx.key(passkeysKey(userId)));
  for (const credential of credentials) tx.hdel(PASSKEY_OWNERS, credential);
  tx.hdel(PASSKEY_CHALLENGES, userId);
}

async function endLiveStory(call: CallContext, userId: number): Promise<void> {
  const { tx } = call;
  const field = activeCallField({ owner: { kind: 'user', id: userId }, storyId: 0 });
  tx.hdel(RTMP_KEYS, field);
  const id = await tx.read.hget(tx.key(ACTIVE_CALLS), field);
  const raw = id === null ? null : await tx.read.hget(tx.key(GROUP_CALLS), id);
  if (raw === null) return;
  await endCall(call, { record: JSON.parse(raw) as GroupCallRecord, raw, isAdmin: true });
}
