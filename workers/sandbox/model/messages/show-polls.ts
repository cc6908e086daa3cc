import type { CallContext } from '../../../driver.ts';
import type { TlMessage } from '../boxes/messages.ts';
import { type PollMedia, type ViewedPoll, viewPollFor, viewPolls } from '../polls/polls.ts';
import type { MessageDraft } from './post.ts';

// No user has this id.
const NOBODY = 0;

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

/**
 * The content of a forwarded message with the present state of its poll, without anybody's own votes: one content goes to several readers,
 * of whom each may have voted. `min` tells them that it lacks their votes.
 */
export async function withPresentPoll(call: CallContext, draft: MessageDraft): Promise<MessageDraft> {
  const media = pollOf(draft);
  const [view] = (media && (await viewPollFor(call, media.poll.id, [NOBODY]))) ?? [];
  if (!media || !view) return draft;
  return {
    ...draft,
    media: { ...media, poll: view.poll, results: { ...view.results, min: true } },
  } as MessageDraft;
}

/** The poll a message shows, or null. */
export function pollOf(message: TlMessage | MessageDraft | { _: 'messageEmpty' }): PollMedia | null {
  return message._ === 'message' && message.media?._ === 'messageMediaPoll' ? message.media : null;
}
