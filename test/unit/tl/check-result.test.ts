import { describe, expect, test } from 'vitest';
import { findMethod, type TlMethod } from '../../../src/tl/methods.ts';
import { checkObject, checkResult } from '../../support/tl/check-result.ts';

const affected = { _: 'messages.affectedMessages', pts: 1, ptsCount: 1 };

describe('checkResult', () => {
  test('finds nothing wrong with a documented result', () => {
    expect(check('messages.readMessageContents', affected)).toEqual([]);
    expect(check('account.updateStatus', { _: 'boolTrue' })).toEqual([]);
    expect(check('stories.readStories', { _: 'vector', items: [1] })).toEqual([]);
  });

  test.each([
    [{ ...affected, pts: '1' }, '/result/pts'],
    [{ ...affected, pts: 2 ** 31 }, '/result/pts'],
    [{ ...affected, pts: null }, '/result/pts'],
    [{ ...affected, ptsCount: undefined }, '/result/ptsCount'],
    [{ ...affected, pts_count: 1 }, '/result/pts_count'],
    [{ _: 'messages.affectedHistory', pts: 1, ptsCount: 1, offset: 0 }, '/result'],
    [{ _: 'nonsense' }, '/result'],
    [null, '/result'],
    [undefined, '/result'],
    [[], '/result'],
  ])('finds what is wrong with %j', (result, pointer) => {
    expect(pointers('messages.readMessageContents', result)).toEqual([pointer]);
  });

  test.each([[true], [{ _: 'boolTrue', value: 1 }], [{ _: 'bool' }], [null]])(
    'finds that %j is not a Bool result',
    (result) => {
      expect(pointers('account.updateStatus', result)).toHaveLength(1);
    },
  );

  test.each([
    [[1]],
    [{ _: 'vector' }],
    [{ _: 'vector', items: ['1'] }],
    [{ _: 'vector', items: [], count: 0 }],
  ])('finds that %j is not a vector result', (result) => {
    expect(pointers('stories.readStories', result)).toHaveLength(1);
  });

  test('finds a flag that is missing, however deep', () => {
    const missingInvitees = [{ _: 'missingInvitee', premiumWouldAllowInvite: true, userId: 1 }];
    const result = {
      _: 'messages.invitedUsers',
      updates: { _: 'updatesTooLong' },
      missingInvitees,
    };
    expect(pointers('messages.addChatUser', result)).toEqual([
      '/result/missingInvitees/0/premiumRequiredForPm',
    ]);
  });

  test.each(['01', '-0', '', '9223372036854775808', 5])('finds that %j is no long', (id) => {
    expect(checkObject('photoEmpty', { _: 'photoEmpty', id }).map(({ pointer }) => pointer)).toEqual(['/id']);
  });

  test.each(['-_8=', '+/8', 'AB==', 7])('finds that %j is no base64 as results have it', (bytes) => {
    const size = { _: 'photoCachedSize', type: '', w: 1, h: 1, bytes };
    expect(checkObject('PhotoSize', size).map(({ pointer }) => pointer)).toEqual(['/bytes']);
  });
});

describe('checkObject', () => {
  const update = {
    _: 'updateReadMessagesContents',
    messages: [1],
    pts: 1,
    ptsCount: 1,
  };

  test('takes a type or a constructor', () => {
    expect(checkObject('Update', update)).toEqual([]);
    expect(checkObject('updateReadMessagesContents', update)).toEqual([]);
    expect(checkObject('updateDeleteMessages', update)).toHaveLength(1);
    expect(checkObject('Message', update)).toHaveLength(1);
    expect(checkObject('updateReadMessagesContents', null)).toHaveLength(1);
  });

  test('points into the object', () => {
    expect(checkObject('Update', { ...update, messages: [1, '2'] })).toEqual([
      { pointer: '/messages/1', detail: 'must be int, is "2"' },
    ]);
  });
});

function check(method: string, result: unknown): object[] {
  return checkResult(findMethod(method) as TlMethod, result);
}

function pointers(method: string, result: unknown): string[] {
  return checkResult(findMethod(method) as TlMethod, result).map(({ pointer }) => pointer);
}
