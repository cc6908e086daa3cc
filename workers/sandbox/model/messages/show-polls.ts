import type { CallContext } from '../../../driver.ts';
import type { TlMessage } from '../boxes/messages.ts';
import { type PollMedia, type ViewedPoll, viewForAll, viewPolls } from '../polls/polls.ts';
import type { MessageDraft } from './post.ts';

/** The messages with the current state of their polls, as the calling account sees them. */
export async function showPolls<Shown extends TlMessage | { _: 'messageEmpty' }>(
  call: CallContext,
  messages: readonly Shown[],
): Promise<Shown[]> {
  const ids = messages.flatMap((message) => pollOf(message)?.poll.id ?? []);
  if (ids.length === 0) return [...messages];
  const views = await viewPolls(call, ids);
  return messages.map((message) => withPoll(message, views.get(pollOf(message)?.poll.id ?? '')));
}

/** A message with this state of its poll, if it has one. */
export function withPoll<Shown extends TlMessage | { _: 'messageEmpty' }>(
  message: Shown,
  view: ViewedPoll | undefined,
): Shown {
  const media = pollOf(message);
  return media && view
    ? { ...message, media: { ...media, poll: view.poll, results: view.results } }
    : message;
}

/** The content of a forwarded message with the present state of its poll, without anybody's own votes. */
export async function withPresentPoll(call: CallContext, draft: MessageDraft): Promise<MessageDraft> {
  const media = pollOf(draft);
  return media ? ({ ...draft, media: await viewForAll(call, media) } as MessageDraft) : draft;
}

/** The poll a message shows, or null. */
export function pollOf(message: TlMessage | MessageDraft | { _: 'messageEmpty' }): PollMedia | null {
  return message._ === 'message' && message.media?._ === 'messageMediaPoll' ? message.media : null;
}
