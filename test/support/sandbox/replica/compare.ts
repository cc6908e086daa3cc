import { stateKey } from '../../../../src/redis/keys.ts';
import type { TlMessage } from '../../../../workers/sandbox/model/boxes/messages.ts';
import { membersKey } from '../../../../workers/sandbox/model/chats/keys.ts';
import {
  mentionsKey,
  pollVotesKey,
  sentKey,
  unreadKey,
} from '../../../../workers/sandbox/model/conversations/keys.ts';
import { doLater } from '../do-later.ts';
import { Refused } from '../sandbox.ts';
import { compareDialog, compareKept, type Dialog } from './compare-dialog.ts';
import { compareMessages } from './compare-messages.ts';
import { compareTopics } from './compare-topics.ts';
import { Differences } from './differences.ts';
import type { Replica } from './replica.ts';
import { keyOfPeer } from './take-update.ts';
import type { Place, World } from './world.ts';

const PAGE = 100;

/** How what the sandbox answers, and keeps, differs from what replicas know. */
export async function compare(world: World): Promise<string[]> {
  const found: string[] = [];
  await doLater(world.sandbox, world.creator.account, 'left');
  for (const replica of world.replicas) {
    const dialogs = await listDialogs(world, replica);
    for (const place of world.placesOf(replica)) {
      const dialog = dialogs.find(({ peer }) => keyOfPeer(peer) === place.key);
      found.push(...(await comparePlace(world, replica, place, dialog)));
    }
  }
  return found;
}

async function comparePlace(
  world: World,
  replica: Replica,
  place: Place,
  dialog: Dialog | undefined,
): Promise<string[]> {
  const differences = new Differences(`account ${replica.account.userId} in ${place.kind} ${place.key}`);
  if (place.key.startsWith('c') && !(await compareMembership(world, replica, place, differences)))
    return differences.found;
  const history = await wholeHistory(world, replica, place);
  compareMessages(replica, place, history, differences);
  differences.hold('there is a dialog', dialog !== undefined, history.length > 0);
  if (!dialog) return differences.found;
  compareDialog(replica, place, { dialog, history }, differences);
  await compareKept(world, replica, place, history, differences);
  if (place.kind === 'forum') await compareTopics(world, replica, place, history, differences);
  return differences.found;
}

/** Whether the account is in a channel. Where it is not, nothing is kept for it. */
async function compareMembership(
  { sandbox: { redis }, workspaceId }: World,
  replica: Replica,
  { key }: Place,
  differences: Differences,
): Promise<boolean> {
  const { userId } = replica.account;
  const inWorkspace = (name: string) => stateKey(workspaceId, name);
  const isIn = (await redis.hexists(inWorkspace(membersKey(Number(key.slice(1)))), String(userId))) === 1;
  differences.hold('the account is a member', isIn, replica.joined.has(key));
  if (isIn) return true;
  const names = [mentionsKey, pollVotesKey, sentKey].map((toName) => inWorkspace(toName(userId, key)));
  const kept = await Promise.all([
    ...names.map(async (name) => ((await redis.exists(name)) === 1 ? [name] : [])),
    ...names.map((name) => redis.keys(`${name}:*`)),
  ]);
  differences.hold('keys after leaving', kept.flat(), []);
  const marks = await redis.hkeys(inWorkspace(unreadKey(userId)));
  differences.hold(
    'marks after leaving',
    marks.filter((field) => field.split(':').includes(key)),
    [],
  );
  return false;
}

async function listDialogs({ sandbox }: World, { account }: Replica): Promise<Dialog[]> {
  const params = {
    offsetDate: 0,
    offsetId: 0,
    offsetPeer: { _: 'inputPeerEmpty' },
    limit: PAGE,
    hash: '0',
  };
  return (await sandbox.call(account, 'messages.getDialogs', params)).dialogs;
}

/** Newest first. A group that the account is not in is gone for it with its last message. */
async function wholeHistory({ sandbox }: World, { account }: Replica, { peer }: Place): Promise<TlMessage[]> {
  const found: TlMessage[] = [];
  try {
    for (let offsetId = 0; ; offsetId = found.at(-1)?.id ?? 0) {
      const page = (await sandbox.history(account, peer, { offsetId, limit: PAGE })) as TlMessage[];
      found.push(...page);
      if (page.length < PAGE) return found;
    }
  } catch (error) {
    if (error instanceof Refused && error.code === 'CHAT_ID_INVALID') return [];
    throw error;
  }
}
