import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import { findChannels } from '../../model/chats/chats.ts';
import { onlySet } from '../../model/chats/rights.ts';
import { changeGroup, requireRight } from '../../model/groups/change-group.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';

/**
 * Sets what ordinary members of a basic group or supergroup may not do. Errors: `CHAT_ADMIN_REQUIRED`, `CHAT_NOT_MODIFIED`,
 * `BANNED_RIGHTS_INVALID` for banning all of them, `UNTIL_DATE_INVALID`, `PEER_ID_INVALID` for other peers.
 */
export const editChatDefaultBannedRights = defineMethod(
  'messages.editChatDefaultBannedRights',
  async (params, call) => {
    const peer = requireRight(call, await resolvePeer(call, params.peer), 'banUsers');
    if (peer.kind === 'channel' && peer.channel.kind !== 'megagroup')
      throw new MessengerError('PEER_ID_INVALID');
    const defaultBan = onlySet(params.bannedRights);
    if (defaultBan.viewMessages) throw new MessengerError('BANNED_RIGHTS_INVALID');
    if (defaultBan.untilDate !== 0) throw new MessengerError('UNTIL_DATE_INVALID');
    const before = (peer.kind === 'chat' ? peer.chat : peer.channel).defaultBan ?? { ...NOTHING };
    if (isEqualJson(defaultBan, before)) throw new MessengerError('CHAT_NOT_MODIFIED');
    const version = peer.kind === 'chat' ? peer.chat.version + 1 : 0;
    return changeGroup(
      call,
      peer,
      { defaultBan, ...(peer.kind === 'chat' ? { version } : {}) },
      {
        _: 'updateChatDefaultBannedRights',
        peer: toTlPeer(peer),
        defaultBannedRights: defaultBan,
        version,
      },
    );
  },
);

const NOTHING = { _: 'chatBannedRights', untilDate: 0 } as const;

function isEqualJson(one: object, other: object): boolean {
  const names = (rights: object) => Object.keys(rights).toSorted().join();
  return names(one) === names(other);
}

export const example: Example<'messages.editChatDefaultBannedRights'> = async (context) => {
  const { call, ids } = context;
  const [forum] = await findChannels(call, [ids.forumId]);
  const sendPolls = forum?.defaultBan?.sendPolls !== true;
  return {
    peer: await peerChannel(context, 'forumId'),
    bannedRights: { _: 'chatBannedRights', ...(sendPolls ? { sendPolls } : {}), untilDate: 0 },
  };
};

export const difference =
  'In supergroups it can forbid to send, react, open topics, add users and change ranks. Inline bots and links are not checked.';
