import { channelOf, type Sandbox, type SandboxAccount, userOf } from './sandbox.ts';

/** A channel as its creator made it. */
export interface TestChannel {
  id: number;
  channel: { _: 'inputChannel'; channelId: number; accessHash: string };
  peer: ReturnType<typeof channelOf>;
}

/** The `InputChannel` of a channel. */
export function inputOf(channelId: number): TestChannel['channel'] {
  return { _: 'inputChannel', channelId, accessHash: '0' };
}

/** A new channel or supergroup with these members. */
export async function aChannel(
  sandbox: Sandbox,
  creator: SandboxAccount,
  settings: object,
  ...members: SandboxAccount[]
): Promise<TestChannel> {
  const params = { title: 'Channel', about: '', ...settings };
  const { chats } = await sandbox.call(creator, 'channels.createChannel', params);
  const { id } = chats[0];
  const channel = inputOf(id);
  if (members.length > 0)
    await sandbox.call(creator, 'channels.inviteToChannel', { channel, users: members.map(userOf) });
  return { id, channel, peer: channelOf(id) };
}
