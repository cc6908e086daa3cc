import type { CallContext } from '../../../driver.ts';
import { largeReads } from '../../../turns/large-reads.ts';
import { readingSlices } from '../../../turns/slices.ts';
import { LARGE, PARSED_AT_ONCE, type TlMessage } from '../boxes/messages.ts';
import type { ReadBudget } from '../common/read-budget.ts';
import type { ReactionTarget } from './keys.ts';
import { type MessageReactions, readStoredReactions, type StoredReactions } from './reactions.ts';

/** A message as the calling account sees it, before its reactions are added. */
export interface WithoutReactions {
  message: TlMessage;
  /** The length of its stored text. */
  length: number;
  /** Where its reactions are, if it may have any that are not stored with it. */
  target: ReactionTarget | null;
}

// As many have at most 1.5 MB of reactions. Those after a message that exceeds the budget are not read.
const READ_AT_ONCE = 50;

/** A message with views beyond those that are stored with it. */
export function addViews<Shown extends TlMessage>(message: Shown, views: number): Shown {
  if (views === 0 || message._ !== 'message') return message;
  // On Telegram, a message has both counts or none.
  return { ...message, views: (message.views ?? 0) + views, forwards: message.forwards ?? 0 };
}

/**
 * Adds to messages their reactions, as the calling account sees them. Reads the reactions of each message once, even if it is listed twice.
 * The first message whose text and reactions exceed `room`, and all after it, are null. Charges the budget for reactions only: texts are
 * charged where they are read.
 */
export async function addReactions(
  call: CallContext,
  messages: readonly (WithoutReactions | null)[],
  budget: ReadBudget,
  room: number,
): Promise<(TlMessage | null)[]> {
  const adder = new ReactionAdder(call, budget, room);
  const shown: (TlMessage | null)[] = [];
  for (let start = 0; start < messages.length; start += READ_AT_ONCE) {
    const some = messages.slice(start, start + READ_AT_ONCE);
    await adder.readFor(some);
    for (const one of some) shown.push(await adder.show(one));
  }
  return shown;
}

class ReactionAdder {
  private readonly call: CallContext;
  private readonly budget: ReadBudget;
  private room: number;
  private parsed = 0;
  private read = new Map<ReactionTarget, StoredReactions>();
  private readonly shown = new Map<ReactionTarget, MessageReactions | null>();

  constructor(call: CallContext, budget: ReadBudget, room: number) {
    this.call = call;
    this.budget = budget;
    this.room = room;
  }

  async readFor(messages: readonly (WithoutReactions | null)[]): Promise<void> {
    if (this.room < 0) return;
    const wanted = new Map<ReactionTarget, TlMessage>();
    for (const one of messages)
      if (one?.target && !this.shown.has(one.target)) wanted.set(one.target, one.message);
    const read = () =>
      Promise.all(
        [...wanted].map(([target, message]) =>
          readStoredReactions(this.call, target, {
            isPost: message._ === 'message' && message.post === true,
          }),
        ),
      );
    const found = await (wanted.size < LARGE ? read() : largeReads.run(this.call.workspaceId, read));
    this.read = new Map([...wanted.keys()].map((target, i) => [target, found[i] as StoredReactions]));
  }

  async show(one: WithoutReactions | null): Promise<TlMessage | null> {
    this.room -= one?.length ?? 0;
    if (one === null || this.room < 0) return null;
    const { message, target } = one;
    if (target === null) return message;
    const reactions = this.shown.has(target) ? this.shown.get(target) : await this.view(target);
    if (this.room < 0) return null;
    return reactions ? { ...message, reactions } : message;
  }

  private async view(target: ReactionTarget): Promise<MessageReactions | null> {
    const { length, view } = this.read.get(target) as StoredReactions;
    this.room -= length;
    this.budget.left -= length;
    if (this.room < 0) return null;
    this.parsed += length;
    if (this.parsed > PARSED_AT_ONCE) {
      await readingSlices.next(this.call.workspaceId);
      this.parsed = length;
    }
    const reactions = view();
    this.shown.set(target, reactions);
    return reactions;
  }
}
