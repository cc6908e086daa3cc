import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fillFlags } from '../../../src/tl/fill-flags.ts';
import { findMethod, listMethods, type TlMethod } from '../../../src/tl/methods.ts';
import { toResult } from '../../../src/tl/to-result.ts';
import { checkObject, checkResult } from '../../support/tl/check-result.ts';
import { returnValueOf } from '../../support/tl/tl-arbitraries.ts';

const A_MINUTE = 60_000;

/** Stands for a number that is not known yet, as a handler may return it. */
class Later {
  toJSON(): string {
    return 'later';
  }
}

describe('a result', { timeout: A_MINUTE }, () => {
  test('of any method is as documented, whatever flags the handler left out', () => {
    for (const method of listMethods()) {
      fc.assert(
        fc.property(returnValueOf(method), (value) => {
          expect(checkResult(method, json(toResult(method, value)))).toEqual([]);
        }),
        { numRuns: 3 },
      );
    }
  });

  test('that is a Bool is an object', () => {
    expect(toResult(get('account.updateStatus'), true)).toEqual({
      _: 'boolTrue',
    });
    expect(toResult(get('account.updateStatus'), false)).toEqual({
      _: 'boolFalse',
    });
  });

  test('that is a vector is an object', () => {
    expect(toResult(get('stories.readStories'), [1, 2])).toEqual({
      _: 'vector',
      items: [1, 2],
    });
    expect(toResult(get('stories.readStories'), [])).toEqual({
      _: 'vector',
      items: [],
    });
    const [user] = (
      toResult(get('users.getUsers'), [{ _: 'user', id: 1 }]) as {
        items: object[];
      }
    ).items;
    expect(user).toMatchObject({ _: 'user', id: 1, self: false });
  });

  test('has every flag, true or false, at every depth', () => {
    const value = {
      _: 'messages.invitedUsers',
      updates: { _: 'updatesTooLong' },
      missingInvitees: [invitee()],
    };
    expect(toResult(get('messages.addChatUser'), value)).toEqual({
      ...value,
      missingInvitees: [
        {
          ...invitee(),
          premiumWouldAllowInvite: true,
          premiumRequiredForPm: false,
        },
      ],
    });
  });

  test('has its fields in the order of the schema', () => {
    const value = { ptsCount: 1, pts: 2, _: 'messages.affectedMessages' };
    expect(JSON.stringify(toResult(get('messages.readMessageContents'), value))).toBe(
      '{"_":"messages.affectedMessages","pts":2,"ptsCount":1}',
    );
  });

  test('has no field that the schema does not know, nor one that is undefined', () => {
    const value = {
      _: 'help.support',
      phoneNumber: undefined,
      user: { _: 'userEmpty', id: 1 },
      secret: 1,
    };
    expect(Object.keys(toResult(get('help.getSupport'), value))).toEqual(['_', 'user']);
  });

  test('keeps an object where a number is due', () => {
    const pts = new Later();
    const result = toResult(get('messages.readMessageContents'), {
      _: 'messages.affectedMessages',
      pts,
      ptsCount: 1,
    });
    expect((result as { pts: unknown }).pts).toBe(pts);
    const ids = [new Later()];
    expect(toResult(get('stories.readStories'), ids)).toEqual({
      _: 'vector',
      items: ids,
    });
  });

  test('is a copy: what the handler returned stays as it was', () => {
    const value = Object.freeze({
      _: 'messages.invitedUsers',
      updates: Object.freeze({ _: 'updatesTooLong' }),
    });
    const result = toResult(get('messages.addChatUser'), value) as {
      updates: object;
    };
    expect(result).not.toBe(value);
    expect(result.updates).not.toBe(value.updates);
  });

  test.each([undefined, null, 7, 'text'])('is not made of %j', (value) => {
    expect(() => toResult(get('help.getSupport'), value)).toThrow(TypeError);
  });

  test.each(['noSuchThing', '__proto__', 'messages.sendMessage'])(
    'is not made of the constructor %s',
    (name) => {
      expect(() => toResult(get('help.getSupport'), { _: name })).toThrow(TypeError);
    },
  );
});

describe('fillFlags', () => {
  test('fills in the flags of an update and of the message in it', () => {
    const message = {
      _: 'message',
      id: 1,
      peerId: { _: 'peerUser', userId: 1 },
      date: 1,
      message: '',
      out: true,
    };
    const update = { _: 'updateNewMessage', message, pts: 1, ptsCount: 1 };
    const filled = fillFlags(update);
    expect(filled.message).toMatchObject({
      out: true,
      mentioned: false,
      offline: false,
    });
    expect(checkObject('Update', filled)).toEqual([]);
  });

  test('changes nothing the second time', () => {
    const update = {
      _: 'updateReadMessagesContents',
      messages: [1],
      pts: 1,
      ptsCount: 1,
    };
    expect(fillFlags(fillFlags(update))).toEqual(update);
  });
});

function invitee(): object {
  return { _: 'missingInvitee', premiumWouldAllowInvite: true, userId: 5 };
}

function get(name: string): TlMethod {
  return findMethod(name) as TlMethod;
}

function json(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
