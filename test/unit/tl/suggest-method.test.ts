import { expect, it } from 'vitest';
import { suggestMethods } from '../../../src/tl/suggest-method.ts';

it.each([
  ['messages.sendMesage', ['messages.sendMessage']],
  ['message.sendMessage', ['messages.sendMessage']],
  ['chats.sendMessage', ['messages.sendMessage']],
  ['sendMessage', ['messages.sendMessage']],
  ['sendMesage', ['messages.sendMessage']],
  ['SENDMESSAGE', ['messages.sendMessage']],
  ['Messages.SendMessage', ['messages.sendMessage']],
  ['messages.send_message', ['messages.sendMessage']],
  ['messages/sendMessage', ['messages.sendMessage']],
  ['getMessages', ['channels.getMessages', 'messages.getMessages']],
  ['getresalestargifts', ['payments.getResaleStarGifts']],
  ['get_saved_star_gift', ['payments.getSavedStarGift']],
  ['foo.bar', []],
  ['', []],
  ['.', []],
  ['__proto__', []],
  [`messages.${'x'.repeat(1_000_000)}`, []],
])('%.40s may mean %j', (wrong, meant) => {
  expect(suggestMethods(wrong)).toEqual(meant);
});
