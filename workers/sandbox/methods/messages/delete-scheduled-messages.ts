import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { firstScheduled } from '../../examples/first-scheduled.ts';
import { firstDistinct } from '../../model/common/first-distinct.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';
import {
  listPresent,
  notifyOfUnscheduled,
  removeScheduled,
  scheduledField,
} from '../../model/scheduled/scheduled-messages.ts';

const IDS_MAX = 100;

/** Deletes scheduled messages of a conversation; unknown ids are ignored. */
export const deleteScheduledMessages = defineMethod(
  'messages.deleteScheduledMessages',
  async (params, call) => {
    const peer = await resolvePeer(call, params.peer);
    const ids = await listPresent(call, peer.key, firstDistinct(params.id, IDS_MAX));
    const gone = ids.map((id) => scheduledField(peer.key, id));
    if (gone.length > 0) await removeScheduled(call, gone);
    return {
      _: 'updates',
      updates: gone.length > 0 ? [notifyOfUnscheduled(call, peer.key, ids)] : [],
      ...(await listMentioned(call, [toTlPeer(peer)])),
      date: call.date,
      seq: 0,
    };
  },
);

export const example: Example<'messages.deleteScheduledMessages'> = firstScheduled;

export const difference = 'Only the first 100 count; absent ones are ignored.';
