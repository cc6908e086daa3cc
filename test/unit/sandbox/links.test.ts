import { expect, test } from 'vitest';
import { findLinksIn } from '../../../workers/sandbox/model/text/links.ts';

const found = (text: string) => [...findLinksIn(text)].map(({ kind, text: one }) => `${kind} ${one}`);

test.each([
  // The whole address, also behind letters without a space.
  ['看https://example.com/路', ['url https://example.com/路']],
  ['HTTPS://example.com', ['url HTTPS://example.com']],
  ['https://me:pass@example.com:8080/a', ['url https://me:pass@example.com:8080/a']],
  ['https://my_own.example.com', ['url https://my_own.example.com']],
  ['https://example.intern.', ['url https://example.intern']],
  ['tonsite://foundation.ton/a', ['url tonsite://foundation.ton/a']],
  ['tg://resolve?domain=ada.', ['url tg://resolve?domain=ada']],
  // Brackets in pairs belong to an address, those around it do not.
  ['https://example.com/a_(b)', ['url https://example.com/a_(b)']],
  ['(https://example.com/a)', ['url https://example.com/a']],
  ['(see example.com/a_(b)).', ['url example.com/a_(b)']],
  ['[example.com/a]', ['url example.com/a']],
  ["example.com/a,b'.", ['url example.com/a,b']],
  ['example.com/?', ['url example.com/']],
  ['example.com?', ['url example.com']],
  ['«example.com/a»', ['url example.com/a']],
  ['8.8.8.8:53/a', ['url 8.8.8.8:53/a']],
  ['end.https://example.org', ['url https://example.org']],
  // No address.
  ['http://localhost:8080/a', []],
  ['https://a', []],
  ['https://example.c', []],
  ['git://example.com/a', []],
  ['sftp://example.com', []],
  ['1.2.3 and 1.25 and 8.8.8.256', []],
  ['Done.So it is', []],
  ['a_b.com', []],
  ['-.com', []],
])('finds the addresses in %j', (text, links) => {
  expect(found(text)).toEqual(links);
});

test.each([
  ['ada.b+c@mail.example.com!', ['email ada.b+c@mail.example.com']],
  ['ada@example.c', []],
  ['#می‌خواهم', ['hashtag #می‌خواهم']],
  ['##a', ['hashtag #a']],
  ['#a#b', []],
  [`#${'a'.repeat(300)}`, [`hashtag #${'a'.repeat(256)}`]],
  ['#1 #_ x#a', []],
  ['$USD $1INCH', ['cashtag $USD', 'cashtag $1INCH']],
  ['ж$USD $USDж', []],
  ['@1234 @gif @@abcd', ['mention @1234', 'mention @gif', 'mention @abcd']],
  ['@abc ж@abcd @abcdж', []],
  ['/1 (/start@a_bot) :/go', ['command /1', 'command /start@a_bot', 'command /go']],
  ['да/no /startж a/b /start@x /a/b </a>', []],
])('finds the names, tags and commands in %j', (text, links) => {
  expect(found(text)).toEqual(links);
});

test.each([
  ['4111111111111111', ['bankCard 4111111111111111']],
  ['Pay to 4111 1111-1111 1111, please', ['bankCard 4111 1111-1111 1111']],
  ['378282246310005 or 4222222222222', ['bankCard 378282246310005', 'bankCard 4222222222222']],
  ['4111111111111111 5555555555554444', ['bankCard 4111111111111111', 'bankCard 5555555555554444']],
  ['99999999999993', ['bankCard 99999999999993']],
  ['4111111111111111 12', ['bankCard 4111111111111111']],
  // The last digit is wrong, or the number is too long or too short, or as long as no number of its network is.
  ['4111111111111112', []],
  ['41111111111111110000', []],
  ['411111111112', []],
  ['37828224631000', []],
  ['42222222222226 and 55555555555544440', []],
  // A part of something longer, or with too many spaces.
  ['12 4111 1111 1111 1111', []],
  ['123456 4111 1111 1111 1111', []],
  ['4111111111111111a', []],
  ['x4111111111111111', []],
  ['+4111111111111111 1.4111111111111111', []],
  ['4  1  1  1  1  1  1  1  1  1  1  1  1  1  1  1', []],
  ['4111111111111111@example.com', ['email 4111111111111111@example.com']],
  // All digits in a row are one number.
  ['4111 1111 1111 1111 5x', []],
  ['1111 2222 3333 4444 5555 6666 7777 8 4111 1111 1111 1111', []],
  ['1111 2222 3333 4 4111111111111111', []],
  ['x12 4111111111111111', []],
  ['4111 1111 1111 1111- 4111 1111 1111 1111', []],
  ['4111 1111 1111 1111 - or', ['bankCard 4111 1111 1111 1111']],
  ['4111111111111112 4111111111111111', ['bankCard 4111111111111111']],
  // They may end in an address.
  ['13800138000 12345678@gmail.com', ['email 12345678@gmail.com']],
  ['2026-11-28 10@example.com', ['email 10@example.com']],
  ['+79001234567 10@example.com', ['phone +79001234567', 'email 10@example.com']],
  ['Order 4000 0000 0000 123.example.com', ['url 123.example.com']],
  ['1234 5678 9012 3456 1https://example.org', ['url https://example.org']],
  ['1234567890123https://example.org', ['url https://example.org']],
])('finds the numbers of bank cards in %j', (text, links) => {
  expect(found(text)).toEqual(links);
});
