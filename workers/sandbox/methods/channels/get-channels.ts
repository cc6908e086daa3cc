import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel } from '../../examples/input-peers.ts';
import { viewChannels } from '../../model/chats/view-channels.ts';
import { resolveChannel } from '../../model/peers/resolve-peer.ts';

type InputChannel = MethodParams<'channels.getChannels'>['id'][number];

const IDS_MAX = 100;

/**
 * The channels of these ids; a `channelForbidden` for each that was deleted, or that the account was banned from. Errors:
 * `CHANNEL_INVALID`, `CHANNEL_PRIVATE`.
 */
export const getChannels = defineMethod('channels.getChannels', async ({ id: asked }, call) => {
  const found = await Promise.all(asked.slice(0, IDS_MAX).map((input) => findChannel(call, input)));
  const chats = await viewChannels(
    call,
    found.map(({ id }) => id),
  );
  const isHidden = found.some(({ isOpen }, i) => !isOpen && chats[i]?._ !== 'channelForbidden');
  if (isHidden) throw new MessengerError('CHANNEL_PRIVATE');
  return { _: 'messages.chats', chats };
});

async function findChannel(call: CallContext, input: InputChannel): Promise<{ id: number; isOpen: boolean }> {
  try {
    return { id: (await resolveChannel(call, input)).id, isOpen: true };
  } catch (error) {
    const isPrivate = error instanceof MessengerError && error.error === 'CHANNEL_PRIVATE';
    if (!isPrivate || !('channelId' in input)) throw error;
    return { id: input.channelId, isOpen: false };
  }
}

export const example: Example<'channels.getChannels'> = async (context) => ({
  id: [await inputChannel(context, 'channelId'), await inputChannel(context, 'forumId')],
});

export const difference = 'Only the first 100 count.';
