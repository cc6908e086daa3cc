import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../src/redis/keys.ts';
import { SEQ } from '../../workers/sandbox/model/common/keys.ts';
import { type GiftSticker, listGiftStickers } from '../../workers/sandbox/model/gifts/gift-stickers.ts';
import { eventsKey } from '../../workers/sandbox/model/people/keys.ts';
import { Random } from '../support/random.ts';
import {
  aRandomId,
  channelOf,
  peerOf,
  Refused,
  Sandbox,
  type SandboxAccount,
  type StreamedUpdate,
  userOf,
  WHOLE,
} from '../support/sandbox/sandbox.ts';

const CALLS = 5_000;
const REPLAY_EVERY = 197;
const EXAMPLE_EVERY = 5;
const SEED = Number(process.env.SEED ?? 20_261_121);

// biome-ignore lint/suspicious/noExplicitAny: results and messages are of any shape
type Any = any;

interface Change {
  pts: number;
  ptsCount: number;
  update: Any;
}

/** A place where all four write: as each of them addresses it, and its box where it is a channel. */
interface Place {
  name: string;
  peer(account: SandboxAccount): object;
  channelId: number | null;
}

let sandbox: Sandbox;
let accounts: SandboxAccount[];
let places: Place[];
let groupId: number;
/** The supergroup that members come to and go from. */
let restless: { channelId: number; hash: string };
const random = new Random(SEED);
/** What counts in the pts of each account (`u…`) and channel (`c…`), by pts. */
const changes = new Map<string, Map<number, Change>>();
const newestIds = new Map<string, number>();
/** Ids seen in each place, by each account. */
const seen = new Map<string, number[]>();
const polls = new Set<string>();
/** Ids of what is scheduled for each place, by each account. */
const scheduled = new Map<string, number[]>();
let entries: StreamedUpdate[] = [];
let examples = 0;
/** The texts of each channel by id, as Ada knows them who asks for differences alone, and up to which pts. */
const asked = new Map<number, { pts: number; texts: Map<number, string> }>();

beforeAll(async () => {
  sandbox = await Sandbox.open();
  const ada = await sandbox.anAccount('Ada');
  const more = ['Bob', 'Cleo', 'Dan'].map((name) =>
    sandbox.anAccount(name, { workspaceId: ada.workspaceId }),
  );
  accounts = [ada, ...(await Promise.all(more))];
  const group = await sandbox.aGroup(ada, ...accounts.slice(1));
  groupId = group.chatId;
  const aChannel = async (settings: object) => {
    const made = await sandbox.call(ada, 'channels.createChannel', {
      title: 'Place',
      about: '',
      ...settings,
    });
    const { id } = made.chats[0];
    const channel = { _: 'inputChannel', channelId: id, accessHash: '0' };
    await sandbox.call(ada, 'channels.updateUsername', { channel, username: `place_${id}` });
    for (const account of accounts.slice(1)) await sandbox.call(account, 'channels.joinChannel', { channel });
    return id as number;
  };
  const channels = [
    await aChannel({ megagroup: true }),
    await aChannel({ megagroup: true }),
    await aChannel({ megagroup: true, forum: true }),
    await aChannel({ broadcast: true }),
  ];
  const [channelId = 0] = channels;
  const { link } = await sandbox.call(ada, 'messages.exportChatInvite', { peer: channelOf(channelId) });
  restless = { channelId, hash: link.split('+')[1] };
  places = [
    { name: 'self', peer: () => ({ _: 'inputPeerSelf' }), channelId: null },
    ...accounts.map((other) => ({
      name: `u${other.userId}`,
      peer: () => peerOf(other),
      channelId: null,
    })),
    { name: 'group', peer: () => group, channelId: null },
    ...channels.map((id) => ({ name: `c${id}`, peer: () => channelOf(id), channelId: id })),
  ];
}, 60_000);
afterAll(() => sandbox.close());

/** Takes in what has come on the stream since the last time. */
async function follow(): Promise<void> {
  const [{ workspaceId }] = accounts as [SandboxAccount];
  const fresh = await sandbox.updates({ workspaceId }, entries.at(-1)?.txid ?? 0);
  for (const entry of fresh) take(entry);
  if (fresh.length > 0) entries = fresh;
}

function take({ accountId, update }: StreamedUpdate): void {
  const account = accounts.find(({ id }) => id === accountId);
  if (!account) return;
  note(account, update);
  if (update._ === 'updateNewMessage' || update._ === 'updateNewChannelMessage') {
    const { id, peerId } = update.message;
    const channelId: number | null = peerId.channelId ?? null;
    const box = channelId === null ? `u${account.userId}` : `c${channelId} of ${account.userId}`;
    expect([box, id]).toEqual([box, Math.max(id, (newestIds.get(box) ?? 0) + 1)]);
    newestIds.set(box, id);
    const place = placeOf(account, peerId);
    seen.set(place, [...(seen.get(place) ?? []), id].slice(-40));
    if (update.message.media?._ === 'messageMediaPoll') polls.add(`${place} ${id}`);
  }
}

function placeOf(account: SandboxAccount, peerId: Any): string {
  if (peerId.channelId) return `${account.userId} c${peerId.channelId}`;
  if (peerId.chatId) return `${account.userId} ${peerId.chatId === groupId ? 'group' : `g${peerId.chatId}`}`;
  return `${account.userId} ${peerId.userId === account.userId ? 'self' : `u${peerId.userId}`}`;
}

/** Notes what counts in somebody's pts; one that is told twice has to be the same. */
function note(account: SandboxAccount, update: Any): void {
  if (!update.ptsCount) return;
  const channelId = update.channelId ?? update.message?.peerId?.channelId;
  const isOfChannel = /Channel/.test(update._);
  const box = isOfChannel ? `c${channelId}` : `u${account.userId}`;
  const known = changes.get(box) ?? new Map<number, Change>();
  changes.set(box, known);
  const { pts, ptsCount } = update;
  const before = known.get(pts);
  if (before && before.ptsCount !== ptsCount)
    throw new Error(`${box} has two changes at ${pts}: ${JSON.stringify([before, update])}`);
  if (!before) known.set(pts, { pts, ptsCount, update });
}

/** The changes that a call's own result tells of. */
async function noteResult(account: SandboxAccount, method: string, params: Any, result: Any): Promise<void> {
  if (method === 'messages.deleteHistory') {
    if (result.ptsCount > 0) note(account, await keptEvent(account, result.pts));
    return;
  }
  // Every pin is on the stream, also the caller's own, and so is what is deleted of one member.
  if (['messages.unpinAllMessages', 'channels.deleteParticipantHistory'].includes(method)) return;
  if (/^messages\.affected(Messages|History)$/.test(result._)) noteAffected(account, method, params, result);
  for (const update of result._ === 'updates' ? result.updates : []) {
    note(account, update);
    if (update._ !== 'updateNewScheduledMessage') continue;
    const place = placeOf(account, update.message.peerId);
    scheduled.set(place, [...(scheduled.get(place) ?? []), update.message.id].slice(-10));
  }
}

function noteAffected(account: SandboxAccount, method: string, params: Any, { pts, ptsCount }: Any): void {
  // What is read in a channel leaves its pts, which are everybody's, as they are.
  if (ptsCount === 0 || params.peer?.channelId) return;
  const channelId = params.channel?.channelId;
  const kind = method.endsWith('deleteMessages') ? 'updateDeleteMessages' : 'affected';
  const update = channelId === undefined ? { _: kind } : { _: `${kind}Channel`, channelId };
  note(account, { ...update, messages: params.id, pts, ptsCount });
}

/** What is kept for `updates.getDifference`: the result does not say which messages are gone. */
async function keptEvent({ workspaceId, userId }: SandboxAccount, pts: number): Promise<Any> {
  const [raw] = await sandbox.redis.zrangebyscore(stateKey(workspaceId, eventsKey(userId)), pts, pts);
  return JSON.parse(raw ?? '').update;
}

interface Step {
  account: SandboxAccount;
  method: string;
  /** Null for the example of the method. */
  params: object | null;
}

const listExamples = () => [...sandbox.driver.methods.keys()];

/** The example of the next method, made when it is sent. */
function anExample(account: SandboxAccount): Step {
  const names = listExamples();
  examples += 1;
  return { account, method: names[examples % names.length] as string, params: null };
}

function aStep(): Step | null {
  const account = random.pick(accounts);
  const place = random.pick(places);
  if (place.name === `u${account.userId}`) return null;
  if (random.below(EXAMPLE_EVERY) === 0) return anExample(account);
  const peer = place.peer(account);
  const ids = seen.get(`${account.userId} ${place.name}`) ?? [];
  const id = ids.length === 0 ? 1 : random.pick(ids);
  const channel = place.channelId === null ? null : { ...channelOf(place.channelId), _: 'inputChannel' };
  const later = (scheduled.get(`${account.userId} ${place.name}`) ?? []).slice(-2);
  const text = `Text ${random.below(1_000_000)}`;
  const step = (method: string, params: object): Step => ({ account, method, params });
  const kinds: (() => Step)[] = [
    () => step('messages.sendMessage', { peer, message: text, randomId: aRandomId() }),
    () =>
      step('messages.sendMessage', {
        peer,
        message: `${text} @${random.pick(accounts).username}`,
        randomId: aRandomId(),
      }),
    () =>
      step('messages.sendMessage', {
        peer,
        message: text,
        replyTo: { _: 'inputReplyToMessage', replyToMsgId: id },
        randomId: aRandomId(),
      }),
    () => step('messages.sendMedia', { peer, message: '', randomId: aRandomId(), media: aPoll() }),
    () => step('messages.editMessage', { peer, id, message: `${text} edited` }),
    () => {
      const to = random.pick(places).peer(account);
      return step('messages.forwardMessages', {
        fromPeer: peer,
        id: [...new Set([id, ids[0] ?? id])],
        randomId: [...new Set([id, ids[0] ?? id])].map(aRandomId),
        toPeer: to,
      });
    },
    () =>
      channel
        ? step('channels.deleteMessages', { channel, id: [id] })
        : step('messages.deleteMessages', { id: [id], revoke: random.below(2) === 0 }),
    () =>
      channel
        ? step('channels.readHistory', { channel, maxId: id })
        : step('messages.readHistory', { peer, maxId: random.below(3) === 0 ? 0 : id }),
    () => step('messages.readMentions', { peer }),
    () =>
      channel
        ? step('channels.readMessageContents', { channel, id: ids.slice(-5) })
        : step('messages.readMessageContents', { id: ids.slice(-5) }),
    () =>
      step('messages.sendReaction', {
        peer,
        msgId: id,
        reaction:
          random.below(4) === 0 ? [] : [{ _: 'reactionEmoji', emoticon: random.pick(['👍', '❤', '🔥']) }],
      }),
    () => {
      const own = ids.filter((one) => polls.has(`${account.userId} ${place.name} ${one}`));
      return step('messages.sendVote', { peer, msgId: random.pick(own) ?? 1, options: ['MA=='] });
    },
    () => step('messages.readPollVotes', { peer }),
    ...membershipSteps(step),
    () =>
      step('messages.updatePinnedMessage', { peer, id, ...(random.below(3) === 0 ? { unpin: true } : {}) }),
    () => step('messages.unpinAllMessages', { peer }),
    () =>
      step('messages.deleteHistory', {
        peer,
        maxId: id,
        ...(random.below(2) === 0 ? { revoke: true } : {}),
        ...(random.below(4) === 0 ? { justClear: true } : {}),
      }),
    () => step('messages.saveDraft', { peer, message: random.below(3) === 0 ? '' : text }),
    () => step('messages.setTyping', { peer, action: { _: 'sendMessageTypingAction' } }),
    () => step('messages.sendMessage', { peer, message: text, randomId: aRandomId(), scheduleDate: LATER }),
    () => step('messages.sendScheduledMessages', { peer, id: later }),
    () => step('messages.deleteScheduledMessages', { peer, id: later.slice(0, 1) }),
    () => step('messages.sendMultiMedia', { peer, multiMedia: [aMedium(), aMedium()] }),
    () => step('messages.getPeerDialogs', { peers: [{ _: 'inputDialogPeer', peer }] }),
  ];
  // Sending is what the rest needs.
  return random.pick([...kinds, kinds[0] as () => Step, kinds[0] as () => Step, kinds[1] as () => Step])();
}

/** What changes who is in a group or channel, and what each may do there. */
function membershipSteps(step: (method: string, params: object) => Step): (() => Step)[] {
  const channel = { ...channelOf(restless.channelId), _: 'inputChannel' };
  const other = random.pick(accounts);
  const group = places.find(({ name }) => name === 'group')?.peer(other) as { chatId: number };
  const title = `Title ${random.below(1_000)}`;
  const right = random.pick(['viewMessages', 'sendMessages', 'sendPlain', 'inviteUsers', 'none', 'none']);
  const bannedRights = {
    _: 'chatBannedRights',
    ...(right === 'none' ? {} : { [right]: true }),
    untilDate: 0,
  };
  const adminRight = random.pick(['banUsers', 'deleteMessages', 'inviteUsers', 'none']);
  const adminRights = { _: 'chatAdminRights', ...(adminRight === 'none' ? {} : { [adminRight]: true }) };
  return [
    () => step('channels.joinChannel', { channel }),
    () => step('messages.importChatInvite', { hash: restless.hash }),
    () => step('channels.inviteToChannel', { channel, users: [userOf(other)] }),
    () => step('channels.leaveChannel', { channel }),
    () => step('channels.editBanned', { channel, participant: peerOf(other), bannedRights }),
    () => step('channels.editAdmin', { channel, userId: userOf(other), adminRights }),
    () => step('channels.editTitle', { channel, title }),
    () => step('messages.editChatTitle', { chatId: group.chatId, title }),
    () => step('messages.exportChatInvite', { peer: channelOf(restless.channelId) }),
  ];
}

const LATER = Math.floor(Date.now() / 1_000) + 24 * 60 * 60;

function aMedium(): object {
  const { id, accessHash, fileReference } = (listGiftStickers()[0] as GiftSticker).document;
  const media = { _: 'inputMediaDocument', id: { _: 'inputDocument', id, accessHash, fileReference } };
  return { _: 'inputSingleMedia', media, message: '', randomId: aRandomId() };
}

function aPoll(): object {
  const text = (plain: string) => ({ _: 'textWithEntities', text: plain, entities: [] });
  const answers = ['Yes', 'No'].map((answer, index) => ({
    _: 'pollAnswer',
    text: text(answer),
    option: Buffer.from(String(index)).toString('base64'),
  }));
  return {
    _: 'inputMediaPoll',
    poll: { _: 'poll', id: '0', hash: '0', question: text('Really?'), answers },
  };
}

const refused: Record<string, number> = {};
const done: Record<string, number> = {};

async function exampleOf(account: SandboxAccount, method: string): Promise<object | undefined> {
  const { examples: made } = await sandbox.order(account, 'getExamples', { methods: [method] });
  return made[method];
}

async function perform({ account, method, params: given }: Step): Promise<void> {
  const params = given ?? (await exampleOf(account, method));
  if (!params) return;
  try {
    await noteResult(account, method, params, await sandbox.call(account, method, params));
    done[method] = (done[method] ?? 0) + 1;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refused[`${method} ${error.code}`] = (refused[`${method} ${error.code}`] ?? 0) + 1;
    if (error.code === 'invalid_params') throw error;
  }
}

/** Everything there is in the workspace, one line a key. Redis' own dumps differ with the order its tables are in. */
async function dump(): Promise<string[]> {
  const [{ workspaceId }] = accounts as [SandboxAccount];
  const names = (await sandbox.redis.keys(stateKey(workspaceId, '*'))).sort();
  return Promise.all(names.map(async (name) => `${name} ${JSON.stringify(await contentOf(name))}`));
}

async function contentOf(name: string): Promise<unknown> {
  const { redis } = sandbox;
  const type = await redis.type(name);
  if (type === 'hash') return Object.entries(await redis.hgetall(name)).sort();
  if (type === 'set') return (await redis.smembers(name)).sort();
  return redis.zrange(name, '0', '-1', 'WITHSCORES');
}

async function replay({ account, method, params }: Step & { params: object }): Promise<void> {
  const untouched = await dump();
  let before: string[] = [];
  const [first, second] = await sandbox.callAgain(account, method, params, async () => {
    before = await dump();
  });
  const known = new Set(before);
  const changed = (await dump()).filter((line) => !known.delete(line));
  expect([method, changed, [...known]]).toEqual([method, [], []]);
  // What changed nothing is not recorded: it is answered anew, with the date of then.
  if (before.join() !== untouched.join()) expect([method, second]).toEqual([method, first]);
  const { status, result } = parse(first);
  if (status === 200) await noteResult(account, method, params, result);
}

function parse(frame: string | null): Any {
  const text = frame ?? '504 -\n{}';
  return { status: Number(text.slice(0, 3)), ...JSON.parse(text.slice(text.indexOf('\n') + 1)) };
}

async function wholeHistory(account: SandboxAccount, peer: object): Promise<Any[]> {
  const found: Any[] = [];
  for (let offsetId = 0; ; offsetId = found.at(-1).id) {
    const page = await sandbox.history(account, peer, { offsetId });
    found.push(...page);
    if (page.length < WHOLE.limit) return found;
  }
}

async function seqOf(field: string): Promise<number> {
  const [{ workspaceId }] = accounts as [SandboxAccount];
  return Number(await sandbox.redis.hget(stateKey(workspaceId, SEQ), field));
}

it(`keeps its invariants over ${CALLS} random calls of four accounts`, { timeout: 300_000 }, async () => {
  await follow();
  await sendEveryExample();
  for (let calls = 0; calls < CALLS; ) {
    const steps = Array.from({ length: 4 }, aStep).filter((step) => step !== null);
    await Promise.all(steps.map(perform));
    calls += steps.length;
    await follow();
    const [step] = steps;
    if (calls % REPLAY_EVERY >= 4 || !step) continue;
    if (step.params) await replay({ ...step, params: again(step.params) });
    await askForDifferences();
  }
  await follow();
  await askForDifferences();

  await checkPts();
  for (const account of accounts) await checkLists(account);
  await checkMembers();
  await checkDifferences();
  const never = [...sandbox.driver.methods.keys()].filter((method) => !done[method]);
  expect(never.sort()).toEqual(WITHOUT_EXAMPLE);
  for (const method of METHODS) expect([method, (done[method] ?? 0) > 10]).toEqual([method, true]);
  if (process.env.SHOW) console.log(done, refused);
});

/** Every method takes part. Backwards, payments find their invoice before messages are deleted. */
async function sendEveryExample(): Promise<void> {
  for (const method of listExamples().sort().reverse())
    for (const account of accounts) if (!done[method]) await perform({ account, method, params: null });
}

/** What was told of each box follows one another without a gap, up to where it is. */
async function checkPts(): Promise<void> {
  for (const [box, known] of changes) {
    const inOrder = [...known.values()].sort((a, b) => a.pts - b.pts);
    let pts = inOrder[0] ? inOrder[0].pts - inOrder[0].ptsCount : 0;
    for (const change of inOrder) {
      pts += change.ptsCount;
      expect([box, change.pts, change.update]).toEqual([box, pts, change.update]);
    }
    const counted = await seqOf(`pts:${box}`);
    // Of a channel that an example has deleted nothing is left.
    if (counted > 0 || box.startsWith('u')) expect([box, counted]).toEqual([box, pts]);
  }
}

const METHODS = [
  'messages.sendMessage',
  'messages.sendMedia',
  'messages.editMessage',
  'messages.forwardMessages',
  'messages.deleteMessages',
  'channels.deleteMessages',
  'messages.readHistory',
  'channels.readHistory',
  'messages.readMentions',
  'messages.sendReaction',
  'messages.sendVote',
  'channels.joinChannel',
  'messages.importChatInvite',
  'channels.inviteToChannel',
  'channels.leaveChannel',
  'channels.editBanned',
  'channels.editAdmin',
  'channels.editTitle',
  'messages.editChatTitle',
  'messages.exportChatInvite',
  'messages.updatePinnedMessage',
  'messages.deleteHistory',
  'messages.saveDraft',
  'messages.setTyping',
  'messages.sendScheduledMessages',
  'messages.sendMultiMedia',
];

/** What is for bots alone. */
const WITHOUT_EXAMPLE = [
  'bots.getBotCommands',
  'bots.getBotInfo',
  'bots.getBotMenuButton',
  'bots.resetBotCommands',
  'bots.setBotBroadcastDefaultAdminRights',
  'bots.setBotCommands',
  'bots.setBotGroupDefaultAdminRights',
  'bots.setBotInfo',
  'bots.setBotMenuButton',
  'messages.setBotCallbackAnswer',
];

async function askForDifferences(): Promise<void> {
  for (const { channelId } of places) if (channelId !== null) await askForDifference(channelId);
}

async function askForDifference(channelId: number): Promise<void> {
  const [ada] = accounts as [SandboxAccount];
  const known = asked.get(channelId) ?? { pts: 1, texts: new Map<number, string>() };
  asked.set(channelId, known);
  const channel = { ...channelOf(channelId), _: 'inputChannel' };
  const filter = { _: 'channelMessagesFilterEmpty' };
  for (let isFinal = false; !isFinal; ) {
    const params = { channel, filter, pts: known.pts, limit: 2_000 };
    const found = await sandbox.call(ada, 'updates.getChannelDifference', params);
    isFinal = found.final;
    known.pts = found.pts;
    if (found._ === 'updates.channelDifferenceEmpty') return;
    expect(found._).toBe('updates.channelDifference');
    takeIn(known.texts, found);
  }
}

function takeIn(texts: Map<number, string>, { newMessages, otherUpdates }: Any): void {
  for (const { id, message } of newMessages) texts.set(id, message);
  for (const update of otherUpdates) {
    const { id, message } = update.message ?? {};
    if (texts.has(id)) texts.set(id, message);
    if (update._ === 'updateDeleteChannelMessages') for (const gone of update.messages) texts.delete(gone);
  }
}

/** What the differences of a channel told of is what it holds. */
async function checkDifferences(): Promise<void> {
  const [ada] = accounts as [SandboxAccount];
  for (const [channelId, { pts, texts }] of asked) {
    expect([channelId, pts]).toEqual([channelId, await seqOf(`pts:c${channelId}`)]);
    const history = await wholeHistory(ada, channelOf(channelId));
    const shown = history.filter(({ id }) => id > 1).map(({ id, message }) => [id, message]);
    expect([channelId, shown]).toEqual([channelId, [...texts].sort(([a], [b]) => b - a)]);
  }
}

/** Who is in the restless supergroup is in every list of it, and who was banned in none. */
async function checkMembers(): Promise<void> {
  const [ada] = accounts as [SandboxAccount];
  const { channelId } = restless;
  const channel = { ...channelOf(channelId), _: 'inputChannel' };
  const key = (name: string) => stateKey(ada.workspaceId, name);
  const members = (await sandbox.redis.hkeys(key(`members:${channelId}`))).map(Number).sort();
  const list = async (filter: object) =>
    (
      await sandbox.call(ada, 'channels.getParticipants', {
        channel,
        filter,
        offset: 0,
        limit: 100,
        hash: '0',
      })
    ).participants;
  const recent = await list({ _: 'channelParticipantsRecent' });
  expect(recent.map(({ userId, peer }: Any) => userId ?? peer.userId).sort()).toEqual(members);
  const { fullChat } = await sandbox.call(ada, 'channels.getFullChannel', { channel });
  const kicked: number[] = (await list({ _: 'channelParticipantsKicked', q: '' })).map(
    ({ peer }: Any) => peer.userId,
  );
  expect([fullChat.participantsCount, fullChat.kickedCount]).toEqual([members.length, kicked.length]);
  expect(kicked.filter((userId) => members.includes(userId))).toEqual([]);
  for (const { userId } of accounts) {
    const isIn = members.includes(userId);
    expect(await sandbox.redis.sismember(key(`joined:${userId}`), channelId)).toBe(isIn ? 1 : 0);
    const date = await sandbox.redis.zscore(key(`dialogs:${userId}`), `c${channelId}`);
    expect([userId, date !== null]).toEqual([userId, isIn]);
  }
}

/** The same params under a `randomId` of its own. */
function again(params: Any): object {
  if (params.multiMedia) return { ...params, multiMedia: params.multiMedia.map(aMedium) };
  if (!params.randomId) return params;
  return {
    ...params,
    randomId: Array.isArray(params.randomId) ? params.randomId.map(aRandomId) : aRandomId(),
  };
}

/** What the dialogs count is what the lists hold, and the lists hold what the updates told of. */
async function checkLists(account: SandboxAccount): Promise<void> {
  const { dialogs } = await sandbox.call(account, 'messages.getDialogs', {
    offsetDate: 0,
    offsetId: 0,
    offsetPeer: { _: 'inputPeerEmpty' },
    limit: 100,
    hash: '0',
  });
  for (const place of places.filter(({ name }) => name !== `u${account.userId}`)) {
    if (place.channelId === restless.channelId && !(await isIn(account))) continue;
    const peer = place.peer(account);
    const history = await wholeHistory(account, peer);
    const dialog = dialogs.find(
      (one: Any) => placeOf(account, one.peer) === `${account.userId} ${place.name}`,
    );
    const who = `${account.username} in ${place.name}`;
    if (!dialog) {
      expect([who, history]).toEqual([who, []]);
      continue;
    }
    // Notes to oneself are neither sent nor received.
    const received = place.name === 'self' ? [] : history.filter(({ out }) => !out);
    const unread = received.filter(({ id }) => id > dialog.readInboxMaxId);
    const mentions = (await sandbox.call(account, 'messages.getUnreadMentions', { peer, ...WINDOW }))
      .messages;
    expect([who, dialog.unreadCount]).toEqual([who, unread.length]);
    expect([who, Math.min(100, dialog.unreadMentionsCount)]).toEqual([who, mentions.length]);
    const told = replica(account, place);
    const shown = history.filter(({ id }) => told.first <= id).map(({ id, message }) => [id, message]);
    expect([who, shown]).toEqual([who, told.messages]);
  }
}

async function isIn({ workspaceId, userId }: SandboxAccount): Promise<boolean> {
  return (
    (await sandbox.redis.hexists(stateKey(workspaceId, `members:${restless.channelId}`), String(userId))) ===
    1
  );
}

const WINDOW = { offsetId: 0, addOffset: 0, limit: 100, maxId: 0, minId: 0 };

/** The messages of a place, newest first, as somebody knows them who has only followed the updates. */
function replica(account: SandboxAccount, place: Place): { first: number; messages: [number, string][] } {
  const box = place.channelId === null ? `u${account.userId}` : `c${place.channelId}`;
  const inOrder = [...(changes.get(box)?.values() ?? [])].sort((a, b) => a.pts - b.pts);
  const messages = new Map<number, string>();
  let first = Number.POSITIVE_INFINITY;
  for (const { update } of inOrder) {
    if (/updateDelete/.test(update._)) for (const id of update.messages) messages.delete(id);
    if (!/update(New|Edit)/.test(update._)) continue;
    const { id, message, peerId } = update.message;
    if (placeOf(account, peerId) !== `${account.userId} ${place.name}`) continue;
    if (/New/.test(update._)) first = Math.min(first, id);
    if (/New/.test(update._) || messages.has(id)) messages.set(id, message);
  }
  return { first, messages: [...messages].sort(([a], [b]) => b - a) };
}
