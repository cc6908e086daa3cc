import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../../src/ids.ts';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { beforeCommitOf } from '../../../support/sandbox/before-commit.ts';
import { Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let workspaceId: string;
let asker: SandboxAccount;
let voter: SandboxAccount;
let third: SandboxAccount;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  workspaceId = newId('workspace');
  [asker, voter, third] = await Promise.all([
    sandbox.anAccount('Account', { workspaceId }),
    sandbox.anAccount('Account', { workspaceId }),
    sandbox.anAccount('Account', { workspaceId }),
  ]);
});

afterAll(() => sandbox.close());

const WINDOW = { offsetId: 0, addOffset: 0, limit: 10, maxId: 0, minId: 0 };

const text = (words: string) => ({ _: 'textWithEntities', text: words, entities: [] });
const option = (name: string) => Buffer.from(name).toString('base64');
const inputUser = (account: SandboxAccount) => ({ _: 'inputUser', userId: account.userId, accessHash: '0' });

function aPoll(settings: object = {}, answers = ['a', 'b', 'c']) {
  return {
    _: 'poll',
    id: '0',
    hash: '0',
    question: text('Which?'),
    answers: answers.map((name) => ({ _: 'pollAnswer', text: text(name), option: option(name) })),
    ...settings,
  };
}

async function aGroup(): Promise<{ _: string; chatId: number }> {
  const created = await sandbox.call(asker, 'messages.createChat', {
    users: [inputUser(voter), inputUser(third)],
    title: 'Voters',
  });
  return { _: 'inputPeerChat', chatId: created.updates.chats[0].id };
}

async function sendPoll(peer: object, settings: object = {}, media: object = {}): Promise<number> {
  const sent = await sandbox.call(asker, 'messages.sendMedia', {
    peer,
    message: '',
    media: { _: 'inputMediaPoll', poll: aPoll(settings), ...media },
  });
  return sent.updates[0].id;
}

async function newest(account: SandboxAccount, peer: object) {
  const { messages } = await sandbox.call(account, 'messages.getHistory', {
    peer,
    ...WINDOW,
    limit: 1,
    offsetDate: 0,
    hash: '0',
  });
  return messages[0];
}

async function unread(peer: object, window: object = {}): Promise<number[]> {
  const list = await sandbox.call(asker, 'messages.getUnreadPollVotes', { peer, ...WINDOW, ...window });
  expect(list._).toBe('messages.messages');
  return list.messages.map(({ id }: { id: number }) => id);
}

async function refusal(account: SandboxAccount, method: string, params: object): Promise<string> {
  return (await sandbox.answer(account, method, params)).body.code;
}

it('counts the votes of any option, also before the first one', async () => {
  const peer = await aGroup();
  // Base64, and what every object of JavaScript has.
  const answers = ['toString', option('a')].map((one) => ({ _: 'pollAnswer', text: text(one), option: one }));
  const msgId = await sendPoll(peer, { answers });
  const { updates } = await sandbox.call(asker, 'messages.getPollResults', { peer, msgId, pollHash: '0' });
  expect(updates[0].results.results).toMatchObject([{ voters: 0 }, { voters: 0 }]);
});

it('leaves no unread votes behind when it is deleted', async () => {
  const { chats } = await sandbox.call(asker, 'channels.createChannel', {
    title: 'Voters',
    about: '',
    megagroup: true,
  });
  const channel = { _: 'inputChannel', channelId: chats[0].id, accessHash: '0' };
  await sandbox.call(asker, 'channels.inviteToChannel', { channel, users: [inputUser(voter)] });
  for (const peer of [await aGroup(), { ...channel, _: 'inputPeerChannel' }]) {
    const own = await sendPoll(peer);
    const { id: msgId } = await newest(voter, peer);
    await sandbox.call(voter, 'messages.sendVote', { peer, msgId, options: [option('a')] });
    const count = async () =>
      (await sandbox.call(asker, 'messages.getPeerDialogs', { peers: [{ _: 'inputDialogPeer', peer }] }))
        .dialogs[0].unreadPollVotesCount;
    expect(await count()).toBe(1);
    if (peer._ === 'inputPeerChannel')
      await sandbox.call(asker, 'channels.deleteMessages', { channel, id: [own] });
    else await sandbox.call(asker, 'messages.deleteMessages', { id: [own], revoke: true });
    expect(await count()).toBe(0);
  }
});

it('answers the documented request on a new account', async () => {
  expect(await unread({ _: 'inputPeerEmpty' })).toEqual([]);
});

it('shows a poll with votes to its creator until they are read, and tells everybody of the results', async () => {
  const peer = await aGroup();
  const own = await sendPoll(peer, { publicVoters: true });
  const { id: theirs } = await newest(voter, peer);
  const { id: thirds } = await newest(third, peer);
  expect(await unread(peer)).toEqual([]);

  const voted = await sandbox.answer(voter, 'messages.sendVote', {
    peer,
    msgId: theirs,
    options: [option('b')],
  });
  expect(voted.body.result.updates[0]).toMatchObject({
    _: 'updateMessagePoll',
    msgId: theirs,
    results: {
      totalVoters: 1,
      results: [
        { option: option('a'), voters: 0, recentVoters: [], chosen: false },
        { option: option('b'), voters: 1, recentVoters: [{ userId: voter.userId }], chosen: true },
        { option: option('c'), voters: 0 },
      ],
      recentVoters: [{ _: 'peerUser', userId: voter.userId }],
    },
  });
  const updates = (await sandbox.updates({ workspaceId })).filter(({ txid }) => txid === voted.body.txid);
  expect(updates).toHaveLength(3);
  const forVoter = updates.find(({ accountId }) => accountId === voter.id)?.update;
  expect(forVoter.results.results[1].chosen).toBe(true);
  expect(voted.body.result.updates[0]).toMatchObject(forVoter);
  expect(updates.find(({ accountId }) => accountId === asker.id)?.update).toMatchObject({
    _: 'updateMessagePoll',
    msgId: own,
    results: { hasUnreadVotes: true, totalVoters: 1 },
  });
  const forThird = updates.find(({ accountId }) => accountId === third.id)?.update;
  expect(forThird).toMatchObject({ msgId: thirds, results: { totalVoters: 1 } });
  expect(forThird.results).not.toHaveProperty('results');

  const list = await sandbox.call(asker, 'messages.getUnreadPollVotes', { peer, ...WINDOW });
  expect(list.messages).toMatchObject([
    { id: own, media: { _: 'messageMediaPoll', poll: { creator: true }, results: { hasUnreadVotes: true } } },
  ]);
  const read = await sandbox.call(asker, 'messages.readPollVotes', { peer });
  expect(read).toMatchObject({ _: 'messages.affectedHistory', ptsCount: 1, offset: 0 });
  expect(await unread(peer)).toEqual([]);
  expect(await sandbox.call(asker, 'messages.readPollVotes', { peer })).toMatchObject({
    ptsCount: 0,
    pts: read.pts,
  });
  expect((await newest(asker, peer)).media.results).toMatchObject({ hasUnreadVotes: false, totalVoters: 1 });

  await sandbox.call(third, 'messages.sendVote', { peer, msgId: thirds, options: [option('a')] });
  expect(await unread(peer)).toEqual([own]);
  await sandbox.call(third, 'messages.sendVote', { peer, msgId: thirds, options: [] });
  expect(await unread(peer)).toEqual([]);
});

it('windows the polls with unread votes as Telegram does', async () => {
  const peer = await aGroup();
  const own: number[] = [];
  for (let i = 0; i < 5; i += 1) {
    own.unshift(await sendPoll(peer));
    const { id } = await newest(voter, peer);
    await sandbox.call(voter, 'messages.sendVote', { peer, msgId: id, options: [option('a')] });
  }
  const [e, d, c, b, a] = own as [number, number, number, number, number];
  expect(await unread(peer)).toEqual([e, d, c, b, a]);
  expect(await unread(peer, { limit: 2 })).toEqual([e, d]);
  expect(await unread(peer, { limit: 0 })).toEqual([]);
  expect(await unread(peer, { offsetId: c })).toEqual([b, a]);
  expect(await unread(peer, { offsetId: c, addOffset: -2, limit: 3 })).toEqual([d, c, b]);
  expect(await unread(peer, { offsetId: c, addOffset: 1 })).toEqual([a]);
  expect(await unread(peer, { maxId: d, minId: a })).toEqual([c, b]);
  const answer = { peer, ...WINDOW, limit: -1 };
  expect(await refusal(asker, 'messages.getUnreadPollVotes', answer)).toBe('LIMIT_INVALID');
});

it('keeps a vote from being counted twice and lets it be changed', async () => {
  const peer = await aGroup();
  await sendPoll(peer, { multipleChoice: true });
  const { id: msgId } = await newest(voter, peer);
  const vote = async (...names: string[]) => {
    const params = { peer, msgId, options: names.map(option) };
    const { updates } = await sandbox.call(voter, 'messages.sendVote', params);
    return updates[0].results;
  };
  await vote('a', 'b');
  await vote('a', 'b');
  expect(await vote('c')).toMatchObject({
    totalVoters: 1,
    results: [{ voters: 0 }, { voters: 0 }, { voters: 1 }],
  });
  const { updates } = await sandbox.call(voter, 'messages.getPollResults', { peer, msgId, pollHash: '0' });
  expect(updates[0]).toMatchObject({ poll: { _: 'poll' }, results: { totalVoters: 1 } });
  const { hash } = updates[0].poll;
  const again = await sandbox.call(voter, 'messages.getPollResults', { peer, msgId, pollHash: hash });
  expect(again.updates[0]).not.toHaveProperty('poll');
});

it('shows the three who have voted last also after a vote is taken back', async () => {
  const fourth = await sandbox.anAccount('Account', { workspaceId });
  const group = await sandbox.aGroup(asker, voter, third, fourth);
  await sendPoll(group, { publicVoters: true });
  const vote = async (account: SandboxAccount, options: string[]) => {
    const { id: msgId } = await newest(account, group);
    return sandbox.call(account, 'messages.sendVote', { peer: group, msgId, options });
  };
  for (const account of [asker, voter, third]) await vote(account, [option('a')]);
  await vote(fourth, [option('b')]);
  const { updates } = await sandbox.watch(asker, () => vote(fourth, []));
  const told = updates.find(({ accountId }) => accountId === asker.id)?.update.results;
  const { recentVoters, results } = (await newest(asker, group)).media.results;
  expect(recentVoters).toHaveLength(3);
  expect(told).toMatchObject({ recentVoters, results: [{ recentVoters }, {}, {}] });
  expect(results[0].recentVoters).toEqual(recentVoters);
});

it('counts the votes for an option whatever its bytes', async () => {
  const peer = await aGroup();
  const options = ['turn', 'vote'];
  const answers = options.map((bytes) => ({ _: 'pollAnswer', text: text(bytes), option: bytes }));
  await sendPoll(peer, { answers });
  const { id: msgId } = await newest(voter, peer);
  const params = { peer, msgId, options: options.slice(0, 1) };
  await sandbox.call(voter, 'messages.sendVote', params);
  const { updates } = await sandbox.call(voter, 'messages.getPollResults', { peer, msgId, pollHash: '0' });
  expect(updates[0].results).toMatchObject({ totalVoters: 1, results: [{ voters: 1 }, { voters: 0 }] });
});

it('shows what is right in a quiz, and why, only to who has answered', async () => {
  const peer = await aGroup();
  await sendPoll(peer, { quiz: true }, { correctAnswers: [1], solution: 'Because', solutionEntities: [] });
  const { id: msgId, media } = await newest(voter, peer);
  expect(media.results).not.toHaveProperty('solution');
  const params = { peer, msgId, options: [option('a')] };
  const { updates } = await sandbox.call(voter, 'messages.sendVote', params);
  expect(updates[0].results).toMatchObject({
    solution: 'Because',
    results: [{ correct: false, chosen: true }, { correct: true }, {}],
  });
  expect(await refusal(voter, 'messages.sendVote', params)).toBe('REVOTE_NOT_ALLOWED');
});

it('shows hidden results to its creator, and to a voter only what it has chosen', async () => {
  const peer = await aGroup();
  await sendPoll(peer, { hideResultsUntilClose: true, publicVoters: true });
  const { id: msgId } = await newest(voter, peer);
  await sandbox.call(voter, 'messages.sendVote', { peer, msgId, options: [option('b')] });
  const resultsOf = async (account: SandboxAccount) => (await newest(account, peer)).media.results;
  const theirs = await resultsOf(voter);
  expect(theirs.results).toMatchObject([{ chosen: false }, { chosen: true }, { chosen: false }]);
  for (const one of theirs.results) expect(one).not.toHaveProperty('voters');
  expect(theirs).not.toHaveProperty('recentVoters');
  expect(await resultsOf(asker)).toMatchObject({
    results: [{ voters: 0 }, { voters: 1 }, { voters: 0 }],
    recentVoters: [{ userId: voter.userId }],
  });
  expect(await resultsOf(third)).not.toHaveProperty('results');
});

it('explains only a quiz', async () => {
  const peer = await aGroup();
  await sendPoll(peer, { closed: true }, { solution: 'Because', solutionEntities: [] });
  expect((await newest(asker, peer)).media.results).not.toHaveProperty('solution');
});

it('says both when it closes and after how long', async () => {
  const peer = await aGroup();
  const closeDate = Math.floor(Date.now() / 1_000) + 600;
  await sendPoll(peer, { closeDate });
  const { date, media } = await newest(asker, peer);
  expect(media.poll).toMatchObject({ closeDate, closePeriod: closeDate - date });

  const scheduleDate = closeDate - 300;
  const params = {
    peer,
    message: '',
    media: { _: 'inputMediaPoll', poll: aPoll({ closeDate }) },
    scheduleDate,
  };
  const planned = await sandbox.call(asker, 'messages.sendMedia', params);
  const { id } = planned.updates.find(({ _ }: { _: string }) => _ === 'updateNewScheduledMessage').message;
  await sandbox.call(asker, 'messages.sendScheduledMessages', { peer, id: [id] });
  const sent = await newest(asker, peer);
  expect(sent.media.poll).toMatchObject({ closeDate, closePeriod: closeDate - sent.date });
});

it('refuses votes that the poll does not allow', async () => {
  const peer = await aGroup();
  await sendPoll(peer);
  const { id: msgId } = await newest(voter, peer);
  const vote = (given: object) => refusal(voter, 'messages.sendVote', { peer, msgId, options: [], ...given });
  expect(await vote({ options: [option('a'), option('b')] })).toBe('OPTIONS_TOO_MUCH');
  expect(await vote({ options: [option('z')] })).toBe('OPTION_INVALID');
  expect(await vote({ msgId: 999_999 })).toBe('MESSAGE_ID_INVALID');
  expect(await vote({ peer: { _: 'inputPeerUser', userId: 4_242, accessHash: '0' } })).toBe(
    'PEER_ID_INVALID',
  );
  const channel = { _: 'inputPeerChannel', channelId: 4_242, accessHash: '0' };
  expect(await vote({ peer: channel })).toBe('CHANNEL_INVALID');
  await sendPoll(peer, { closed: true });
  const closed = await newest(voter, peer);
  expect(await vote({ msgId: closed.id, options: [option('a')] })).toBe('MESSAGE_POLL_CLOSED');
  const results = { peer, msgId: 999_999, pollHash: '0' };
  expect(await refusal(voter, 'messages.getPollResults', results)).toBe('MESSAGE_ID_INVALID');
});

it.each([
  ['POLL_QUESTION_INVALID', { poll: aPoll({ question: text(' ') }) }],
  ['POLL_ANSWERS_INVALID', { poll: aPoll({ answers: [] }) }],
  ['POLL_ANSWER_INVALID', { poll: aPoll({}, ['x'.repeat(101)]) }],
  ['POLL_OPTION_DUPLICATE', { poll: aPoll({}, ['a', 'a']) }],
  ['QUIZ_CORRECT_ANSWERS_EMPTY', { poll: aPoll({ quiz: true }) }],
  ['QUIZ_CORRECT_ANSWERS_TOO_MUCH', { poll: aPoll({ quiz: true }), correctAnswers: [0, 1] }],
  ['QUIZ_CORRECT_ANSWER_INVALID', { poll: aPoll({ quiz: true }), correctAnswers: [7] }],
  ['MEDIA_INVALID', { poll: aPoll({ closePeriod: 4 }) }],
  ['MEDIA_INVALID', { poll: aPoll({ closePeriod: 2_628_001 }) }],
  ['MEDIA_INVALID', { poll: aPoll({ closed: true, closePeriod: 2 ** 31 - 1 }) }],
  ['MEDIA_INVALID', { poll: aPoll({ closeDate: 1 }) }],
  ['QUIZ_MULTIPLE_INVALID', { poll: aPoll({ quiz: true, multipleChoice: true }), correctAnswers: [0] }],
])('refuses a poll with %s', async (code, media) => {
  const params = { peer: { _: 'inputPeerSelf' }, message: '', media: { _: 'inputMediaPoll', ...media } };
  expect(await refusal(asker, 'messages.sendMedia', params)).toBe(code);
});

it('refuses public voters in a channel', async () => {
  const media = { _: 'inputMediaPoll', poll: aPoll({ publicVoters: true }) };
  const [channel] = (
    await sandbox.call(asker, 'messages.getSponsoredMessages', { peer: { _: 'inputPeerEmpty' } })
  ).chats;
  const peer = { _: 'inputPeerChannel', channelId: channel.id, accessHash: '0' };
  expect(await refusal(asker, 'messages.sendMedia', { peer, message: '', media })).toBe(
    'BROADCAST_PUBLIC_VOTERS_FORBIDDEN',
  );
});

it('is closed by its creator: everybody sees the results, and nobody votes any more', async () => {
  const peer = await aGroup();
  const msgId = await sendPoll(peer);
  const { id: theirs } = await newest(voter, peer);
  await sandbox.call(voter, 'messages.sendVote', { peer, msgId: theirs, options: [option('b')] });
  // As clients close one: the poll is named by the message alone.
  const media = {
    _: 'inputMediaPoll',
    poll: { ...aPoll({ closed: true, question: text('') }), answers: [] },
  };
  const close = { peer, id: msgId, media };
  expect(await refusal(voter, 'messages.editMessage', { ...close, id: theirs })).toBe(
    'MESSAGE_AUTHOR_REQUIRED',
  );
  const { result, updates } = await sandbox.watch(asker, () =>
    sandbox.call(asker, 'messages.editMessage', close),
  );
  const closed = {
    _: 'updateMessagePoll',
    poll: { closed: true, question: { text: 'Which?' } },
    results: { totalVoters: 1, results: [{ voters: 0 }, { voters: 1 }, { voters: 0 }] },
  };
  expect(result.updates).toMatchObject([{ ...closed, msgId }]);
  expect(updates.map(({ accountId }) => accountId).sort()).toEqual([asker.id, voter.id, third.id].sort());
  expect(result.updates[0]).toMatchObject(updates.find(({ accountId }) => accountId === asker.id)?.update);
  for (const { update } of updates) expect(update).toMatchObject(closed);
  expect((await newest(third, peer)).media).toMatchObject({
    poll: { closed: true },
    results: { totalVoters: 1 },
  });
  const vote = { peer, msgId: theirs, options: [option('a')] };
  expect(await refusal(voter, 'messages.sendVote', vote)).toBe('MESSAGE_POLL_CLOSED');
  expect(await refusal(asker, 'messages.editMessage', close)).toBe('MESSAGE_NOT_MODIFIED');
  const other = { ...close, media: { ...media, poll: aPoll() } };
  expect(await refusal(asker, 'messages.editMessage', other)).toBe('MEDIA_PREV_INVALID');
});

it('is another poll to who asks by its hash, once it is closed', async () => {
  const peer = await aGroup();
  const msgId = await sendPoll(peer);
  const { id: theirs, media } = await newest(voter, peer);
  const ask = async (pollHash: string) => {
    const params = { peer, msgId: theirs, pollHash };
    return (await sandbox.call(voter, 'messages.getPollResults', params)).updates[0].poll;
  };
  expect(await ask(media.poll.hash)).toBeUndefined();
  const close = { _: 'inputMediaPoll', poll: aPoll({ closed: true }) };
  await sandbox.call(asker, 'messages.editMessage', { peer, id: msgId, media: close });
  const closed = await ask(media.poll.hash);
  expect(closed).toMatchObject({ closed: true });
  expect(await ask(closed.hash)).toBeUndefined();
});

it('may close after five seconds, or after a month', async () => {
  const peer = await aGroup();
  for (const closePeriod of [5, 2_628_000]) {
    await sendPoll(peer, { closePeriod });
    const { date, media } = await newest(asker, peer);
    expect(media.poll).toMatchObject({ closePeriod, closeDate: date + closePeriod });
  }
  // A scheduled one closes after the time that it is sent at.
  const scheduleDate = Math.floor(Date.now() / 1_000) + 60 * 86_400;
  const scheduled = { _: 'inputMediaPoll', poll: aPoll({ closeDate: scheduleDate + 3_600 }) };
  const params = { peer, message: '', media: scheduled, scheduleDate };
  expect((await sandbox.answer(asker, 'messages.sendMedia', params)).status).toBe(200);
  // As a closed poll is sent again.
  await sendPoll(peer, { closed: true, closeDate: 1 });
  expect((await newest(asker, peer)).media.poll).toMatchObject({ closed: true, closeDate: 1 });
});

it('tells of the totals as they are then, when others vote at the same time', async () => {
  const peer = await aGroup();
  const msgId = await sendPoll(peer);
  const vote = async (account: SandboxAccount, name: string) =>
    sandbox.call(account, 'messages.sendVote', {
      peer,
      msgId: (await newest(account, peer)).id,
      options: [option(name)],
    });
  const totals = async (account: SandboxAccount) => {
    const all = await sandbox.updatesOf(account);
    return all.filter(({ _ }) => _ === 'updateMessagePoll').map(({ results }) => results.totalVoters);
  };
  const before = (await totals(asker)).length;
  beforeCommitOf(sandbox, 'messages.sendVote', () => vote(third, 'b'));
  const { updates } = await vote(voter, 'a');
  expect(updates[0].results).toMatchObject({ totalVoters: 2, results: [{ voters: 1 }, { voters: 1 }, {}] });
  expect((await totals(asker)).slice(before)).toEqual([1, 2]);
  beforeCommitOf(sandbox, 'messages.editMessage', () => vote(asker, 'b'));
  const media = { _: 'inputMediaPoll', poll: { ...aPoll({ closed: true }), answers: [] } };
  const closed = await sandbox.call(asker, 'messages.editMessage', { peer, id: msgId, media });
  expect(closed.updates[0].results).toMatchObject({ totalVoters: 3 });
});

it('names the users of its question beside its results', async () => {
  const peer = await aGroup();
  const entities = [{ _: 'messageEntityMentionName', offset: 0, length: 5, userId: third.userId }];
  const own = await sendPoll(peer, { question: { _: 'textWithEntities', text: 'Third?', entities } });
  const asked = { peer, msgId: own, pollHash: '0' };
  const { users } = await sandbox.call(asker, 'messages.getPollResults', asked);
  expect(users).toMatchObject([{ id: third.userId }]);
});

it('tells nothing of votes to its creator once it has left', async () => {
  const [group, { peer, channel }] = await Promise.all([
    aGroup(),
    aChannel(sandbox, third, { megagroup: true }, asker, voter),
  ]);
  for (const to of [group, peer]) await sendPoll(to);
  await sandbox.call(asker, 'messages.deleteChatUser', {
    chatId: group.chatId,
    userId: { _: 'inputUserSelf' },
  });
  await sandbox.call(asker, 'channels.leaveChannel', { channel });
  for (const to of [group, peer]) {
    const polls = await sandbox.history(voter, to);
    const { id: msgId } = polls.find(({ media }: { media?: object }) => media);
    const { updates } = await sandbox.watch(asker, () =>
      sandbox.call(voter, 'messages.sendVote', { peer: to, msgId, options: [option('a')] }),
    );
    expect(updates.map(({ accountId }) => accountId).sort()).toEqual([voter.id, third.id].sort());
  }
  await sandbox.call(third, 'channels.inviteToChannel', { channel, users: [inputUser(asker)] });
  const { dialogs } = await sandbox.call(asker, 'messages.getPeerDialogs', {
    peers: [{ _: 'inputDialogPeer', peer }],
  });
  expect(dialogs[0]).toMatchObject({ unreadPollVotesCount: 0 });
});

it('is not closed by who has a copy of it that does not say where it is from', async () => {
  const peer = await aGroup();
  await sendPoll(peer);
  const { id } = await newest(voter, peer);
  const toPeer = { _: 'inputPeerSelf' };
  const copy = { fromPeer: peer, toPeer, id: [id], randomId: ['77'], dropAuthor: true };
  await sandbox.call(voter, 'messages.forwardMessages', copy);
  const own = await newest(voter, toPeer);
  expect(own.fwdFrom).toBeUndefined();
  const media = { _: 'inputMediaPoll', poll: { ...aPoll({ closed: true }), answers: [] } };
  expect(await refusal(voter, 'messages.editMessage', { peer: toPeer, id: own.id, media })).toBe(
    'MESSAGE_AUTHOR_REQUIRED',
  );
  expect((await newest(third, peer)).media.poll.closed).toBeFalsy();
});
