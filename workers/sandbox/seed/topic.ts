import { historyKey } from '../model/boxes/keys.ts';
import type { Thread } from '../model/common/keys.ts';
import { threadsKey, topicsKey } from '../model/conversations/keys.ts';
import { ICON_COLORS, type TopicRecord } from '../model/conversations/topic-records.ts';
import { type Seeding, storePost } from './seeding.ts';

/** Ids of the seeded forum's topic and of its first message. */
const TOPIC_ID = 2;

/** A topic of the forum, opened by the forum's second message. */
export function seedTopic(seeding: Seeding): void {
  const { call, self, ids } = seeding;
  const { tx, date } = call;
  const key = `c${ids.forumId}` as const;
  const thread: Thread = `t${TOPIC_ID}`;
  const icon = { title: 'Topic', iconColor: ICON_COLORS[0] as number };
  tx.hset(topicsKey(ids.forumId), TOPIC_ID, { ...icon, creatorId: self.id, date } satisfies TopicRecord);
  const message = {
    _: 'messageService',
    id: TOPIC_ID,
    fromId: { _: 'peerUser', userId: self.id },
    peerId: { _: 'peerChannel', channelId: ids.forumId },
    date,
    action: { _: 'messageActionTopicCreate', ...icon },
  } as const;
  storePost(seeding, ids.forumId, message, [self.id], thread);
  tx.zadd(historyKey(0, key, thread), TOPIC_ID, TOPIC_ID);
  tx.zadd(threadsKey(key, key), date, thread);
}
