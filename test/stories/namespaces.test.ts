import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { methods } from '../../workers/sandbox/methods.ts';
import { accountOf, clientOf } from '../support/service/client.ts';
import { type Account, type Answer, Service } from '../support/service/service.ts';

/** How a story calls methods and reads updates. */
interface Caller {
  call(account: Account, method: string, params: object): Promise<Answer['body']>;
  updates(account: Account): Promise<Answer['body'][]>;
}

type AnyMethods = Record<string, Record<string, (params: object) => Promise<Answer['body']>>>;

let service: Service;
let ada: Account;
let bob: Account;
let caller: Caller;

beforeAll(async () => {
  service = await Service.start();
});

afterAll(() => service.stop());

const SELF = { _: 'inputPeerSelf' };
const EMPTY = { _: 'inputPeerEmpty' };
const peerOf = ({ userId }: Account) => ({ _: 'inputPeerUser', userId, accessHash: '0' });
const userOf = ({ userId }: Account) => ({ _: 'inputUser', userId, accessHash: '0' });
const call = (account: Account, method: string, params: object = {}) => caller.call(account, method, params);

/** The updates of an account so far. */
const updatesOf = (account: Account) => caller.updates(account);

const CALLERS: Record<string, Caller> = {
  'raw HTTP': {
    call: (account, method, params) => service.result(account, method, params),
    async updates({ id, workspaceId }) {
      const own = await service.updates(workspaceId, '-1', `messengerAccountId=${id}`);
      return own.map(({ update }) => update);
    },
  },
  'the client': {
    async call(account, method, params) {
      const [namespace = '', name = ''] = method.split('.');
      const namespaces = accountOf(clientOf(service), account) as unknown as AnyMethods;
      return (await namespaces[namespace]?.[name]?.(params))?.result;
    },
    async updates({ id, workspaceId }) {
      const workspace = clientOf(service).workspace(workspaceId);
      const end = await workspace.offset();
      const own: Answer['body'][] = [];
      for await (const item of workspace.updates({ offset: '-1' })) {
        if (item.kind === 'stream.gap') throw new Error('updates are missing');
        if (item.messengerAccountId === id) own.push(item.update);
        if (item.offset >= end) break;
      }
      return own;
    },
  },
};

/** The newest update of a kind that an account was told. */
async function lastUpdate(account: Account, kind: string): Promise<Answer['body']> {
  return (await updatesOf(account)).findLast(({ _ }) => _ === kind);
}

async function upload(account: Account, text: string) {
  const bytes = Buffer.from(text).toString('base64');
  expect(await call(account, 'upload.saveFilePart', { fileId: '7', filePart: 0, bytes })).toEqual({
    _: 'boolTrue',
  });
  return { _: 'inputFile', id: '7', parts: 1, name: 'notes.txt', md5Checksum: '' };
}

/** What callers do with a namespace of methods, through the queue, and what the stream says of it. */
const STORIES: Record<string, () => Promise<void>> = {
  account: async () => {
    const { id, accessHash } = await call(ada, 'account.createTheme', { slug: 'story', title: 'Theme' });
    const theme = { _: 'inputTheme', id, accessHash };
    await call(bob, 'account.saveTheme', { theme, unsave: false });
    await call(ada, 'account.updateTheme', { format: 'android', theme, title: 'New' });
    expect(await lastUpdate(bob, 'updateTheme')).toMatchObject({ theme: { id, title: 'New' } });
  },
  bots: async () => {
    const bot = await service.anAccount(ada.workspaceId, { bot: true });
    await call(ada, 'messages.sendMessage', { peer: peerOf(bot), message: '/start' });
    const commands = [{ _: 'botCommand', command: 'start', description: 'Begins' }];
    const scope = { _: 'botCommandScopeDefault' };
    await call(bot, 'bots.setBotCommands', { scope, langCode: '', commands });
    expect(await lastUpdate(ada, 'updateBotCommands')).toMatchObject({ botId: bot.userId, commands });
  },
  channels: async () => {
    const settings = { title: 'Channel', about: '', broadcast: true };
    const { chats } = await call(ada, 'channels.createChannel', settings);
    const channel = { _: 'inputChannel', channelId: chats[0].id, accessHash: chats[0].accessHash };
    const username = `channel_of_${ada.userId}`;
    await call(ada, 'channels.updateUsername', { channel, username });
    await call(bob, 'channels.joinChannel', { channel });
    await call(ada, 'messages.sendMessage', { peer: { ...channel, _: 'inputPeerChannel' }, message: 'News' });
    expect(await lastUpdate(bob, 'updateNewChannelMessage')).toMatchObject({ message: { message: 'News' } });
  },
  contacts: async () => {
    const names = { firstName: 'Bob', lastName: '', phone: '' };
    const { users } = await call(ada, 'contacts.addContact', { id: userOf(bob), ...names });
    expect(users).toMatchObject([{ id: bob.userId, contact: true, firstName: 'Bob' }]);
    expect(await lastUpdate(ada, 'updatePeerSettings')).toMatchObject({ peer: { userId: bob.userId } });
  },
  folders: async () => {
    const folderPeers = [{ _: 'inputFolderPeer', peer: peerOf(bob), folderId: 1 }];
    await call(ada, 'folders.editPeerFolders', { folderPeers });
    expect(await lastUpdate(ada, 'updateFolderPeers')).toMatchObject({
      folderPeers: [{ peer: { userId: bob.userId }, folderId: 1 }],
    });
  },
  help: async () => {
    expect(await call(ada, 'help.getSupport')).toMatchObject({ user: { support: true } });
  },
  messages: async () => {
    await call(ada, 'messages.sendMessage', { peer: peerOf(bob), message: 'Hello' });
    const { message } = await lastUpdate(bob, 'updateNewMessage');
    expect(message).toMatchObject({ message: 'Hello', peerId: { userId: ada.userId } });
    await call(bob, 'messages.readHistory', { peer: peerOf(ada), maxId: message.id });
    expect(await lastUpdate(ada, 'updateReadHistoryOutbox')).toBeDefined();
  },
  payments: async () => {
    const saved = await call(ada, 'payments.getSavedInfo');
    expect(saved).toMatchObject({ _: 'payments.savedInfo', hasSavedCredentials: true });
    await call(ada, 'payments.clearSavedInfo', { credentials: true, info: true });
    expect(await call(ada, 'payments.getSavedInfo')).toEqual({
      _: 'payments.savedInfo',
      hasSavedCredentials: false,
    });
  },
  phone: async () => {
    const { updates } = await call(ada, 'messages.createChat', { users: [userOf(bob)], title: 'Group' });
    const peer = { _: 'inputPeerChat', chatId: updates.chats[0].id };
    await call(ada, 'phone.createGroupCall', { peer, randomId: 1 });
    const heard = (await updatesOf(bob)).filter(({ _ }) => _ === 'updateGroupCall');
    const { id, accessHash } = heard.at(-1).call;
    const groupCall = { _: 'inputGroupCall', id, accessHash };
    const params = { _: 'dataJSON', data: '{"ssrc":5}' };
    await call(bob, 'phone.joinGroupCall', { call: groupCall, joinAs: SELF, params });
    expect(await lastUpdate(ada, 'updateGroupCallParticipants')).toMatchObject({
      participants: [{ peer: { userId: bob.userId }, justJoined: true }],
    });
  },
  stats: async () => {
    const channel = { _: 'inputChannelEmpty' };
    const { viewsGraph } = await call(ada, 'stats.getMessageStats', { channel, msgId: 1 });
    expect(await call(ada, 'stats.loadAsyncGraph', { token: viewsGraph.token })).toMatchObject({
      _: 'statsGraph',
    });
  },
  stories: async () => {
    const privacyRules = [{ _: 'inputPrivacyValueAllowAll' }];
    await call(ada, 'stories.startLive', { peer: EMPTY, privacyRules, caption: 'On air', randomId: '1' });
    expect(await lastUpdate(ada, 'updateStory')).toMatchObject({ story: { caption: 'On air' } });
    const { stories } = await call(bob, 'stories.getPeerStories', { peer: peerOf(ada) });
    expect(stories.stories).toMatchObject([{ caption: 'On air', out: false }]);
  },
  updates: async () => {
    const { pts, date, qts } = await call(bob, 'updates.getState');
    await call(ada, 'messages.sendMessage', { peer: peerOf(bob), message: 'Missed' });
    expect(await call(bob, 'updates.getDifference', { pts, date, qts })).toMatchObject({
      newMessages: [{ message: 'Missed' }],
    });
  },
  upload: async () => {
    const file = await upload(ada, 'the text of a file');
    const media = { _: 'inputMediaUploadedDocument', file, mimeType: 'text/plain', attributes: [] };
    await call(ada, 'messages.sendMedia', { peer: peerOf(bob), media, message: '' });
    const { document } = (await lastUpdate(bob, 'updateNewMessage')).message.media;
    const location = { ...document, _: 'inputDocumentFileLocation', thumbSize: '' };
    const { id, accessHash, fileReference, thumbSize, _ } = location;
    const { bytes } = await call(bob, 'upload.getFile', {
      location: { _, id, accessHash, fileReference, thumbSize },
      offset: 0,
      limit: 4_096,
    });
    expect(Buffer.from(bytes, 'base64').toString()).toBe('the text of a file');
  },
  users: async () => {
    const { items } = await call(ada, 'users.getUsers', { id: [userOf(bob)] });
    expect(items).toMatchObject([{ id: bob.userId, username: bob.username }]);
  },
};

it('every namespace has a story', () => {
  const namespaces = Object.keys(methods).map((name) => name.split('.')[0] as string);
  expect(Object.keys(STORIES)).toEqual([...new Set(namespaces)].sort());
});

describe.each(Object.entries(CALLERS))('over %s', (_, each) => {
  beforeAll(async () => {
    caller = each;
    const { id } = await service.aWorkspace();
    [ada, bob] = await Promise.all([service.anAccount(id), service.anAccount(id)]);
  });

  it.each(Object.entries(STORIES))('%s does what its story says', (__, tell) => tell());
});
