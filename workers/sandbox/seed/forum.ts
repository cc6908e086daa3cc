import { Buffer } from 'node:buffer';
import { historyKey } from '../model/boxes/keys.ts';
import { channelBox } from '../model/common/keys.ts';
import { threadsKey } from '../model/conversations/keys.ts';
import { POLLS } from '../model/polls/keys.ts';
import type { PollRecord } from '../model/polls/polls.ts';
import { type Seeding, storePost } from './seeding.ts';

/** The options of the seeded poll, in base64. */
export const SEEDED_OPTIONS = ['0', '1'].map((option) => Buffer.from(option).toString('base64'));

/** Stores the forum's first message: a poll by its creator, in the general topic. */
export function seedForum(seeding: Seeding): void {
  const { call, self, ids } = seeding;
  const { tx, date } = call;
  const channelId = ids.forumId;
  const text = (plain: string) => ({ _: 'textWithEntities' as const, text: plain, entities: [] });
  const record: PollRecord = {
    poll: {
      _: 'poll',
      id: ids.pollId,
      hash: ids.pollId,
      question: text('Tea or coffee?'),
      answers: ['Tea', 'Coffee'].map((answer, index) => ({
        _: 'pollAnswer',
        text: text(answer),
        option: SEEDED_OPTIONS[index] as string,
      })),
    },
    creatorId: self.id,
    correct: [],
    solution: {},
    origin: { peer: `c${channelId}`, msgId: 1, thread: 't1' },
  };
  tx.hset(POLLS, record.poll.id, record);
  const message = {
    _: 'message',
    id: 1,
    fromId: { _: 'peerUser', userId: self.id },
    peerId: { _: 'peerChannel', channelId },
    date,
    message: '',
    media: {
      _: 'messageMediaPoll',
      poll: record.poll,
      results: { _: 'pollResults', min: true, totalVoters: 0 },
    },
  } as const;
  storePost(seeding, channelId, message, [self.id], 't1');
  tx.zadd(historyKey(0, `c${channelId}`, 't1'), 1, 1);
  tx.zadd(threadsKey(channelBox(channelId), `c${channelId}`), date, 't1');
}
