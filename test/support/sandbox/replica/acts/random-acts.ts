import type { Random } from '../../../random.ts';
import type { World } from '../world.ts';
import { ask } from './ask.ts';
import { deleteAllOfOne, deleteHistory, deleteMessages } from './delete.ts';
import { addToGroup, forbidPolls, invite, join, leave, leaveGroup, removeFromGroup } from './members.ts';
import { readContents, readHistory, readMentions, readPollVotes, readTopic, view } from './read.ts';
import { type Act, type MakeAct, Scene } from './scene.ts';
import { createTopic, deleteTopic, editTopic } from './topics.ts';
import { edit, forward, pin, react, saveDraft, sendPoll, sendText, unpinAll, vote } from './write.ts';

/** Kinds of acts, and how often each is tried beside the others. */
const KINDS: readonly (readonly [MakeAct, number])[] = [
  // Sending is what the rest needs.
  [sendText, 20],
  [sendPoll, 4],
  [edit, 8],
  [forward, 4],
  [react, 8],
  [vote, 4],
  [pin, 4],
  [unpinAll, 1],
  [saveDraft, 4],
  [deleteMessages, 8],
  [deleteHistory, 1],
  [deleteAllOfOne, 1],
  [deleteTopic, 1],
  [readHistory, 8],
  [readTopic, 8],
  [readMentions, 4],
  [readContents, 4],
  [readPollVotes, 4],
  [view, 4],
  [join, 8],
  [leave, 4],
  [invite, 4],
  [leaveGroup, 3],
  [addToGroup, 5],
  [removeFromGroup, 2],
  [createTopic, 4],
  [editTopic, 4],
  [forbidPolls, 2],
  [ask, 12],
];
const TRIED = KINDS.flatMap(([make, times]) => Array.from({ length: times }, () => make));

export function anAct(world: World, random: Random): Act {
  const act = random.pick(TRIED)(new Scene(world, random));
  return act ?? anAct(world, random);
}
