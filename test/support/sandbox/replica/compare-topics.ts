import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { TlMessage } from '../../../../workers/sandbox/model/boxes/messages.ts';
import { mentionIn } from './compare-dialog.ts';
import type { Differences } from './differences.ts';
import type { Replica, ThreadKey } from './replica.ts';
import type { Place, World } from './world.ts';

type Topic = TlJson<tl.RawForumTopic>;
const GENERAL = 1;

/** Holds the topics of a forum against its history, newest first, and what the updates told of them. */
export async function compareTopics(
  { sandbox }: World,
  replica: Replica,
  { key, peer }: Place,
  history: readonly TlMessage[],
  differences: Differences,
): Promise<void> {
  const params = { peer, offsetDate: 0, offsetId: 0, offsetTopic: 0, limit: 100 };
  const { topics } = await sandbox.call(replica.account, 'messages.getForumTopics', params);
  const hold = (topic: Topic, name: keyof Topic, expected: number) =>
    differences.hold(`${name} of topic ${topic.id}`, topic[name], expected);
  for (const topic of topics as Topic[]) {
    const { id } = topic;
    const messages = history.filter((message) => topicOf(message) === id);
    // What was written before the account joined is not unread.
    const unread = messages.filter(
      (one) => replica.messagesOf(key).has(one.id) && !one.out && one.id > topic.readInboxMaxId,
    );
    const thread: ThreadKey = `${key}:${id}`;
    hold(topic, 'topMessage', messages[0]?.id ?? 0);
    hold(topic, 'unreadCount', unread.length);
    hold(topic, 'unreadMentionsCount', messages.filter(mentionIn).length);
    hold(topic, 'readInboxMaxId', replica.topicRead.get(thread) ?? 0);
    hold(topic, 'readOutboxMaxId', replica.topicSeen.get(thread) ?? 0);
    const draft = topic.draft?._ === 'draftMessage' ? topic.draft.message : '';
    // The draft of the general topic is that of the forum.
    const own = id === GENERAL ? `${key}:` : thread;
    differences.hold(`draft of topic ${id}`, draft, replica.drafts.get(own as ThreadKey)?.message ?? '');
  }
  const ids = new Set((topics as Topic[]).map(({ id }) => id));
  for (const message of history)
    if (!ids.has(topicOf(message))) differences.note(`message ${message.id} is of no topic that there is`);
}

function topicOf(message: TlMessage): number {
  if (message._ === 'messageService' && message.action._ === 'messageActionTopicCreate') return message.id;
  const { replyTo } = message;
  if (replyTo?._ !== 'messageReplyHeader' || !replyTo.forumTopic) return GENERAL;
  return replyTo.replyToTopId ?? replyTo.replyToMsgId ?? GENERAL;
}
