/**
 * The keys of forwards. The letters are those of `common/keys.ts`.
 *
 *   forwards:cC:N       sorted set: `<channel>:<message id>` of channels that post N of channel C was forwarded to, by date
 */
export function forwardsKey({ channelId, msgId }: { channelId: number; msgId: number }): string {
  return `forwards:c${channelId}:${msgId}`;
}
