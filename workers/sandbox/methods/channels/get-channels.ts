import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel } from '../../examples/input-peers.ts';
import { viewChannels } from '../../model/chats/view-channels.ts';
import { resolveChannel } from '../../model/peers/resolve-peer.ts';

type InputChannel = MethodParams<'channels.getChannels'>['id'][number];

const IDS_MAX = 100;

/**
 * The channels of these ids; a `channelForbidden` for each that was deleted, or that the account is banned from. Errors: `CHANNEL_INVALID`,
 * `CHANNEL_PRIVATE` for one that the account may not see.
 */
export const getChannels = defineMethod('channels.getChannels', async ({ id: asked }, call) => {
  const found = await Promise.all(asked.slice(0, IDS_MAX).map((input) => findChannel(call, input)));
  const chats = await viewChannels(
    call,
    found.map(({ id }) => id),
  );
  const hasHidden = found.some(({ isPrivate }, i) => isPrivate && chats[i]?._ !== 'channelForbidden');
  if (hasHidden) throw new MessengerError('CHANNEL_PRIVATE');
  return { _: 'messages.chats', chats };
});

// A private channel may be one that is shown as `channelForbidden`, so it is no error yet.
async function findChannel(
  call: CallContext,
  input: InputChannel,
): Promise<{ id: number; isPrivate: boolean }> {
  try {
    return { id: (await resolveChannel(call, input)).id, isPrivate: false };
  } catch (error) {
    const isPrivate = error instanceof MessengerError && error.error === 'CHANNEL_PRIVATE';
    if (!isPrivate || !('channelId' in input)) throw error;
    return { id: input.channelId, isPrivate };
  }
}

export const example: Example<'channels.getChannels'> = async (context) => ({
  id: [await inputChannel(context, 'channelId'), await inputChannel(context, 'forumId')],
});

export const difference = 'Only the first 100 count.';
