import { Long } from '@mtcute/core';
import * as m from '@mtcute/core/methods.js';
import { expect } from 'vitest';
import { all, FILE, type Use, type World } from '../../support/clients/world.ts';

const aFolder = async (w: World) => {
  await m.createFolder(w.ada, { ...FOLDER, id: 2 } as never);
  return 2;
};
const FOLDER = {
  title: { _: 'textWithEntities', text: 'Folder', entities: [] as never[] },
  contacts: true,
} as const;

export const people: Record<string, Use> = {
  addContact: async (w) => {
    const added = await m.addContact(w.ada, { userId: w.toBob, firstName: 'Robert' });
    expect(added).toMatchObject({ isContact: true, firstName: 'Robert' });
  },
  deleteContacts: async (w) => {
    await m.addContact(w.ada, { userId: w.toBob, firstName: 'Bob' });
    await m.deleteContacts(w.ada, w.toBob);
    expect(await m.getUsers(w.ada, w.toBob.id)).toMatchObject([{ isContact: false }]);
  },
  getContacts: async (w) => {
    await m.addContact(w.ada, { userId: w.toBob, firstName: 'Bob' });
    expect((await m.getContacts(w.ada)).map(({ id }) => id)).toContain(w.toBob.id);
  },
  importContacts: async (w) => {
    const bob = { phone: w.toBob.phoneNumber ?? '', firstName: 'Bobby', lastName: '' };
    const { imported } = await m.importContacts(w.ada, [bob, { ...bob, phone: '+15550000001' }]);
    expect(imported).toMatchObject([{ userId: w.toBob.id }]);
  },
  setContactNote: async (w) => {
    await m.addContact(w.ada, { userId: w.toBob, firstName: 'Bob' });
    await m.setContactNote(w.ada, w.toBob, 'A note');
    expect((await m.getFullUser(w.ada, w.toBob)).full.note?.text).toBe('A note');
  },
  createFolder: async (w) => {
    const { id } = await m.createFolder(w.ada, FOLDER as never);
    expect(await m.findFolder(w.ada, { id })).toMatchObject({ contacts: true });
  },
  deleteFolder: async (w) => {
    await m.deleteFolder(w.ada, await aFolder(w));
    expect(await m.findFolder(w.ada, { id: 2 })).toBeNull();
  },
  editFolder: async (w) => {
    await m.editFolder(w.ada, { folder: await aFolder(w), modification: { bots: true } });
    expect(await m.findFolder(w.ada, { id: 2 })).toMatchObject({ contacts: true, bots: true });
  },
  findDialogs: async (w) =>
    expect((await m.findDialogs(w.ada, w.toBob.id)).map(({ peer }) => peer.id)).toEqual([w.toBob.id]),
  findFolder: async (w) => {
    const id = await aFolder(w);
    expect(await m.findFolder(w.ada, { title: 'Folder' })).toMatchObject({ id });
  },
  getChatlistPreview: (w) => m.getChatlistPreview(w.ada, 'https://t.me/addlist/abcdefgh'),
  getFolders: async (w) => {
    await aFolder(w);
    expect((await m.getFolders(w.ada)).filters).toMatchObject([{ _: 'dialogFilterDefault' }, { id: 2 }]);
  },
  getPeerDialogs: async (w) => {
    const { id } = await w.text();
    const [dialog] = await m.getPeerDialogs(w.ada, w.toBob);
    expect([dialog?.peer.id, dialog?.lastMessage?.id]).toEqual([w.toBob.id, id]);
  },
  iterDialogs: async (w) => {
    const list = async (chunkSize: number) =>
      (await all(m.iterDialogs(w.ada, { chunkSize, pinned: 'keep' }))).map(({ peer }) => peer.id);
    const ids = await list(3);
    expect(ids).toEqual(await list(100));
    expect(new Set(ids).size).toBe(ids.length);
  },
  joinChatlist: (w) => m.joinChatlist(w.ada, 'https://t.me/addlist/abcdefgh'),
  setFoldersOrder: async (w) => {
    await m.setFoldersOrder(w.ada, [await aFolder(w), 0]);
    expect((await m.getFolders(w.ada)).filters).toMatchObject([{ id: 2 }, { _: 'dialogFilterDefault' }]);
  },
  blockUser: async (w) => {
    await m.blockUser(w.ada, w.toBot);
    expect((await m.getFullUser(w.ada, w.toBot)).full.blocked).toBe(true);
  },
  unblockUser: async (w) => {
    await m.unblockUser(w.ada, w.toBot);
    expect((await m.getFullUser(w.ada, w.toBot)).full.blocked).toBe(false);
  },
  deleteProfilePhotos: (w) => m.deleteProfilePhotos(w.ada, []),
  editCloseFriendsRaw: async (w) => {
    await m.addContact(w.ada, { userId: w.toBob, firstName: 'Bob' });
    await m.editCloseFriendsRaw(w.ada, [w.toBob.id]);
    expect(await m.getUsers(w.ada, w.toBob.id)).toMatchObject([{ isCloseFriend: true }]);
  },
  editCloseFriends: async (w) => {
    await m.editCloseFriends(w.ada, []);
    expect(await m.getUsers(w.ada, w.toBob.id)).toMatchObject([{ isCloseFriend: false }]);
  },
  getCommonChats: async (w) => {
    const { id } = await w.group();
    expect((await m.getCommonChats(w.ada, w.toBob)).map((chat) => chat.id)).toContain(id);
  },
  getGlobalTtl: (w) => m.getGlobalTtl(w.ada),
  getMe: async (w) => expect(await m.getMe(w.ada)).toMatchObject({ isSelf: true, id: w.ada.account.userId }),
  getMyUsername: async (w) => expect(await m.getMyUsername(w.ada)).toBe(w.ada.account.username),
  getPeerSettings: async (w) => expect((await m.getPeerSettings(w.bob, w.toAda)).raw.addContact).toBe(true),
  getProfilePhoto: (w) => m.getProfilePhoto(w.ada, w.toBob, Long.ONE),
  getProfilePhotos: (w) => m.getProfilePhotos(w.ada, w.toBob),
  iterProfilePhotos: (w) => all(m.iterProfilePhotos(w.ada, w.toBob)),
  getSavedMusic: (w) => m.getSavedMusic(w.ada, { userId: w.toBob }),
  saveMusicToProfile: (w) =>
    m.saveMusicToProfile(w.ada, { audio: { type: 'audio', file: FILE, fileName: 'a.mp3' } as never }),
  getUsers: async (w) => {
    const users = await m.getUsers(w.ada, [w.toBob.id, 'me']);
    expect(users.map((user) => user?.id)).toEqual([w.toBob.id, w.toAda.id]);
  },
  isPeerAvailable: async (w) => expect(await m.isPeerAvailable(w.ada, w.toBob)).toBe(true),
  resolvePeerMany: async (w) => {
    const peers = await m.resolvePeerMany(w.ada, [w.toBob.id, w.bot.account.username]);
    expect(peers).toMatchObject([{ userId: w.toBob.id }, { userId: w.toBot.id }]);
  },
  resolvePeer: async (w) =>
    expect(await m.resolvePeer(w.ada, w.bob.account.username, true)).toMatchObject({ userId: w.toBob.id }),
  resolveUser: async (w) =>
    expect(await m.resolveUser(w.ada, w.bob.account.username, true)).toMatchObject({ userId: w.toBob.id }),
  resolveChannel: async (w) =>
    expect((await m.resolveChannel(w.ada, await w.channel()))._).toBe('inputChannel'),
  resolvePhoneNumber: async (w) => {
    const found = await m.resolvePhoneNumber(w.ada, w.toBob.phoneNumber ?? '');
    expect(found).toMatchObject({ userId: w.toBob.id });
  },
  setEmojiStatus: (w) => m.setEmojiStatus(w.ada, { peerId: 'me', emoji: null }),
  setGlobalTtl: (w) => m.setGlobalTtl(w.ada, 0),
  setMyBirthday: async (w) => {
    await m.setMyBirthday(w.ada, { day: 1, month: 2 });
    expect((await m.getFullUser(w.bob, w.toAda)).full.birthday).toMatchObject({ day: 1, month: 2 });
  },
  setMyProfilePhoto: (w) => m.setMyProfilePhoto(w.ada, { type: 'photo', media: FILE }),
  setMyUsername: (w) => m.setMyUsername(w.ada, 'ada_of_tests'),
  sendOnline: async (w) => {
    await m.sendOnline(w.ada, true);
    expect(await m.getUsers(w.bob, w.toAda)).toMatchObject([{ status: 'online' }]);
  },
  setOnline: async (w) => {
    await m.setOnline(w.ada, false);
    expect(await m.getUsers(w.bob, w.toAda)).toMatchObject([{ status: 'offline' }]);
  },
  updateProfile: async (w) =>
    expect(await m.updateProfile(w.ada, { firstName: 'Ada' })).toMatchObject({ firstName: 'Ada' }),
  getCollectibleInfo: (w) => m.getCollectibleInfo(w.ada, 'username', 'ada'),
  initTakeoutSession: (w) => m.initTakeoutSession(w.ada, { contacts: true }),
  changeCloudPassword: (w) => m.changeCloudPassword(w.ada, { currentPassword: 'a', newPassword: 'b' }),
  enableCloudPassword: (w) => m.enableCloudPassword(w.ada, { password: 'a' }),
  verifyPasswordEmail: (w) => m.verifyPasswordEmail(w.ada, '1'),
  resendPasswordEmail: (w) => m.resendPasswordEmail(w.ada),
  cancelPasswordEmail: (w) => m.cancelPasswordEmail(w.ada),
  removeCloudPassword: (w) => m.removeCloudPassword(w.ada, 'a'),
  checkPassword: (w) => m.checkPassword(w.ada, 'a'),
  getPasswordHint: (w) => m.getPasswordHint(w.ada),
  logOut: (w) => m.logOut(w.ada),
  recoverPassword: (w) => m.recoverPassword(w.ada, { recoveryCode: '1' }),
  resendCode: (w) => m.resendCode(w.ada, { phone: '+15550000001', phoneCodeHash: 'a' }),
  sendCode: (w) => m.sendCode(w.ada, { phone: '+15550000001' }),
  sendRecoveryCode: (w) => m.sendRecoveryCode(w.ada),
  signInBot: (w) => m.signInBot(w.ada, '1:a'),
  signIn: (w) => m.signIn(w.ada, { phone: '+15550000001', phoneCodeHash: 'a', phoneCode: '1' }),
};
