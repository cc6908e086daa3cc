import type { CallContext } from '../../../driver.ts';
import { COPIES, historyKey } from '../boxes/keys.ts';
import type { FoundMessage } from '../boxes/messages.ts';
import { groupBy } from '../common/group-by.ts';
import { type Box, userBox } from '../common/keys.ts';
import { peerKeyOf } from '../peers/tl-peer.ts';
import { findUsers } from '../people/users.ts';
import { reactionsKey } from '../reactions/keys.ts';
import { reactionTarget } from '../reactions/reactions.ts';

// Ids of private chats and basic groups are those of the account's box.
const IN_BOX = { kind: 'user', id: 0 } as const;

/** A message, and the ids of its copies, by box. */
export interface Copied {
  one: FoundMessage;
  ids: Record<Box, number>;
}

/** Removes what all copies of a message share. */
export function forgetShared(call: CallContext, one: FoundMessage): void {
  if (one.copies !== undefined) call.tx.hdel(COPIES, one.copies);
  if (one.message.reactions) call.tx.del(reactionsKey(reactionTarget(call, IN_BOX, one)), 'h');
}

/** The same of a copy that `findLastCopies` has found, in two writes. The commit fails if somebody gets a copy meanwhile. */
export function forgetLast({ tx }: CallContext, { one, ids }: Copied): void {
  if (one.copies === undefined) return;
  tx.expectField(COPIES, one.copies, JSON.stringify(ids));
  tx.hdel(COPIES, one.copies);
  // A copy of somebody who has left the group does not show what others have reacted since.
  tx.del(reactionsKey(`x${one.copies}`), 'h');
}

/**
 * Those of a user's copies of messages of basic groups of which no other account has one. Of each of the others, the commit fails if the copy
 * that another account has is deleted meanwhile.
 */
export async function findLastCopies(
  call: CallContext,
  userId: number,
  copied: readonly Copied[],
): Promise<Copied[]> {
  const own = userBox(userId);
  const ofGroups = copied.filter(({ one, ids }) => one.copies !== undefined && ids[own] !== undefined);
  const boxes = new Set(ofGroups.flatMap(({ ids }) => Object.keys(ids)));
  boxes.delete(own);
  const users = await findUsers(
    call,
    [...boxes].map((box) => Number(box.slice(1))),
  );
  const owners = new Set<Box>(users.flatMap((user) => (user?.accountId ? [userBox(user.id)] : [])));
  const others = ({ ids }: Copied) => (Object.keys(ids) as Box[]).filter((box) => owners.has(box));
  // Mostly the first has them all.
  const left = await withoutCopies(call, ofGroups, (one) => others(one).slice(0, 1));
  return withoutCopies(call, left, (one) => others(one).slice(1));
}

// Those of which none of these boxes has a copy.
async function withoutCopies(
  call: CallContext,
  copied: readonly Copied[],
  boxesOf: (one: Copied) => Box[],
): Promise<Copied[]> {
  const { tx } = call;
  const asked = copied.flatMap((of) =>
    boxesOf(of).map((box) => ({
      of,
      id: String(of.ids[box]),
      history: historyKey(Number(box.slice(1)), peerKeyOf(of.one.message.peerId)),
    })),
  );
  const kept = new Set<Copied>();
  await Promise.all(
    [...groupBy(asked, ({ history }) => history)].map(async ([history, some]) => {
      const scores = await tx.read.zmscore(tx.key(history), ...some.map(({ id }) => id));
      for (const [i, { of, id }] of some.entries()) {
        const score = scores[i] ?? null;
        if (score === null || kept.has(of)) continue;
        kept.add(of);
        tx.expectScore(history, id, score);
      }
    }),
  );
  return copied.filter((of) => !kept.has(of));
}
