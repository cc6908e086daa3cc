import { expect, test } from 'vitest';
import { isButtonUrl, isWebAppUrl } from '../../../workers/sandbox/model/text/button-urls.ts';

test.each([
  'a.example',
  ' a.example/b?c ',
  'a.example:80?c',
  'HTTPS://a.example#b c',
  'http://ada:secret@a.example',
  'http://[2001:db8::1]:80/',
  '[2001:db8::1]',
  'tg://user?id=1',
  'tg:user?id=1',
  'TON:transfer/a',
  'tonsite://a.ton',
])('a button may open %j', (url) => {
  expect(isButtonUrl(url)).toBe(true);
});

test.each([
  '',
  'localhost',
  '//a.example',
  '\\a.example',
  'http:///a.example',
  'https:a.example',
  'https://a.exa\nmple',
  'https://a.exa\tmple/',
  'a. example',
  'ada@a.example',
  'ftp://a.example',
  'tg:',
  'tg:///user',
  'tg:us er',
])('a button may not open %j', (url) => {
  expect(isButtonUrl(url)).toBe(false);
});

test('a button opens a web app only with https://', () => {
  for (const url of ['https://a.example', 'HTTPS://a.example:8443/b', 'https://[2001:db8::1]/'])
    expect([url, isWebAppUrl(url)]).toEqual([url, true]);
  const refused = [
    'http://a.example',
    'https:a.example',
    'https:/a.example',
    'https:///a.example',
    'a.example',
  ];
  for (const url of [...refused, 'https://a.exa\nmple', 'https://localhost', 'tg://user?id=1'])
    expect([url, isWebAppUrl(url)]).toEqual([url, false]);
});
