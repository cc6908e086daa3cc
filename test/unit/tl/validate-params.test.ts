import { describe, expect, test } from 'vitest';
import type { FieldError } from '../../../src/problem.ts';
import { findMethod, type TlMethod } from '../../../src/tl/methods.ts';
import { validateParams } from '../../../src/tl/validate-params.ts';

const peer = { _: 'inputPeerUser', userId: 1_000, accessHash: '-42' };
const history = {
  peer,
  offsetId: 0,
  offsetDate: 0,
  addOffset: 0,
  limit: 10,
  maxId: 0,
  minId: 0,
  hash: '0',
};
const gifts = { giftId: '5', offset: '', limit: 10 };

describe('params that fit', () => {
  test('come back as a copy', () => {
    const params = { peer, message: 'hello', randomId: '7' };
    const normal = accepted('messages.sendMessage', params);
    expect(normal).toEqual(params);
    expect(normal).not.toBe(params);
    expect((normal as { peer: object }).peer).not.toBe(peer);
  });

  test('may name their method as `_`, which does not come back', () => {
    expect(accepted('help.getSupport', { _: 'help.getSupport' })).toEqual({});
  });

  test('come back in the order of the schema', () => {
    const normal = accepted('messages.sendMessage', {
      randomId: '7',
      message: '',
      peer,
      silent: true,
    });
    expect(Object.keys(normal)).toEqual(['silent', 'peer', 'message', 'randomId']);
  });

  test('may hold a flag that is false, which is the same as none', () => {
    expect(
      accepted('messages.sendMessage', {
        peer,
        message: '',
        silent: false,
        background: true,
      }),
    ).toEqual({
      peer,
      message: '',
      background: true,
    });
  });

  test('keep a Bool that is false', () => {
    expect(accepted('account.updateStatus', { offline: false })).toEqual({
      offline: false,
    });
  });

  test('may write an integer as 1.0, 1e3 or -0', () => {
    const ids = JSON.parse('{"id":[1.0,1e3,-0]}');
    const normal = accepted('messages.readMessageContents', ids) as {
      id: number[];
    };
    expect(JSON.stringify(normal)).toBe('{"id":[1,1000,0]}');
    expect(Object.is(normal.id[2], 0)).toBe(true);
  });

  test.each([
    ['messages.sendMessage', { peer, message: 'x' }],
    ['messages.forwardMessages', { fromPeer: peer, toPeer: peer, id: [1, 2] }],
    ['stories.startLive', { peer, privacyRules: [] }],
    [
      'messages.sendMultiMedia',
      {
        peer,
        multiMedia: [
          {
            _: 'inputSingleMedia',
            media: { _: 'inputMediaEmpty' },
            message: '',
          },
        ],
      },
    ],
  ])('may leave out the randomId of %s', (name, params) => {
    expect(accepted(name, params)).toEqual(params);
  });

  test('may give an empty hash for "0"', () => {
    expect(accepted('messages.getSavedHistory', { ...history, hash: '' })).toEqual(history);
  });

  test.each([
    ['an emoji', '🙂'],
    ['NUL and control characters', 'a\u0000\u0001\u001f\u007f\u2028'],
    ['a percent sign and digits', '100%2 sure'],
    ['nothing', ''],
  ])('keep %s in a text exactly', (_, message) => {
    expect(accepted('messages.sendMessage', { peer, message })).toEqual({
      peer,
      message,
    });
  });

  test.each(['0', '-1', '9223372036854775807', '-9223372036854775808', '1234567890123456789'])(
    'may hold the long %s',
    (accessHash) => {
      const params = { peer: { ...peer, accessHash } };
      expect(accepted('messages.readMentions', params)).toEqual(params);
    },
  );

  test.each([2_147_483_647, -2_147_483_648, 0])('may hold the int %s', (id) => {
    expect(accepted('messages.readMessageContents', { id: [id] })).toEqual({
      id: [id],
    });
  });

  test.each([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])('may hold the int53 %s', (chatId) => {
    const params = { chatId, userId: { _: 'inputUserSelf' }, fwdLimit: 0 };
    expect(accepted('messages.addChatUser', params)).toEqual(params);
  });

  test.each([
    ['padded standard', '+/8='],
    ['bare standard', '+/8'],
    ['padded url', '-_8='],
    ['bare url', '-_8'],
  ])('may hold bytes in %s base64, which come back as standard', (_, randomId) => {
    expect(accepted('messages.viewSponsoredMessage', { randomId })).toEqual({
      randomId: '+/8=',
    });
  });

  test('may hold no bytes at all', () => {
    expect(accepted('messages.viewSponsoredMessage', { randomId: '' })).toEqual({ randomId: '' });
  });

  test.each(['inputPeerEmpty', 'inputPeerSelf'])(
    'may hold any constructor of a union, such as %s',
    (name) => {
      expect(accepted('messages.readMentions', { peer: { _: name } })).toEqual({
        peer: { _: name },
      });
    },
  );

  test.each([{ sortByPrice: true }, { sortByNum: true }, {}])(
    'may ask for resale gifts in one order: %j',
    (order) => {
      expect(accepted('payments.getResaleStarGifts', { ...gifts, ...order })).toEqual({ ...gifts, ...order });
    },
  );

  test('may set the other of two exclusive flags to false', () => {
    const params = { ...gifts, sortByPrice: false, sortByNum: true };
    expect(accepted('payments.getResaleStarGifts', params)).toEqual({
      ...gifts,
      sortByNum: true,
    });
  });
});

describe('params that do not fit', () => {
  test.each([[null], [[]], ['text'], [7], [true], [undefined]])('are refused when they are %j', (params) => {
    expect(refused('help.getSupport', params)).toEqual([{ pointer: '/params', detail: 'must be an object' }]);
  });

  test('are refused for the `_` of another method', () => {
    expect(refused('help.getSupport', { _: 'help.getConfig' })).toEqual([
      {
        pointer: '/params/_',
        detail: 'must be "help.getSupport", or left out',
      },
    ]);
  });

  test.each([
    ['sort_by_price', 'sortByPrice'],
    ['SortByPrice', 'sortByPrice'],
    ['sortByPrise', 'sortByPrice'],
    ['limits', 'limit'],
  ])('are refused for the unknown field %s, with the name that was meant', (wrong, meant) => {
    expect(refused('payments.getResaleStarGifts', { ...gifts, [wrong]: true })).toEqual([
      {
        pointer: `/params/${wrong}`,
        detail: `there is no such field, did you mean \`${meant}\`?`,
      },
    ]);
  });

  test.each(['noSuchField', 'flags', 'a/b~c', '__proto__', 'constructor', 'toString'])(
    'are refused for the unknown field %s',
    (name) => {
      const params = JSON.parse(`{${JSON.stringify(name)}:{"_":"x"}}`);
      const pointer = `/params/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      expect(refused('help.getSupport', params)).toEqual([
        { pointer, detail: 'there is no such field: it has none' },
      ]);
      expect(({} as Record<string, unknown>)._).toBeUndefined();
    },
  );

  test('are refused for every missing field', () => {
    expect(refused('messages.addChatUser', {})).toEqual([
      { pointer: '/params/chatId', detail: 'is missing' },
      { pointer: '/params/userId', detail: 'is missing' },
      { pointer: '/params/fwdLimit', detail: 'is missing' },
    ]);
  });

  test('are refused for null, where a field can be left out and where not', () => {
    expect(refused('messages.readMentions', { peer: null, topMsgId: null })).toEqual([
      { pointer: '/params/peer', detail: 'must not be null' },
      { pointer: '/params/topMsgId', detail: 'must not be null: leave it out' },
    ]);
  });

  test('are refused for an unknown constructor, with those that there are', () => {
    const [error] = refused('messages.readMentions', {
      peer: { _: 'input_peer_user', userId: 1 },
    });
    expect(error?.pointer).toBe('/params/peer/_');
    expect(error?.detail).toContain('did you mean `inputPeerUser`?');
    expect(error?.detail).toContain('InputPeer is one of `inputPeerEmpty`, `inputPeerSelf`, `inputPeerChat`');
    expect(error?.detail).not.toContain('mtcute');
  });

  test('are refused for a constructor of another type', () => {
    const [error] = refused('messages.readMentions', {
      peer: { _: 'inputUserEmpty' },
    });
    expect(error).toMatchObject({ pointer: '/params/peer/_' });
  });

  test('are refused for an object without `_`, even where there is one constructor only', () => {
    expect(
      refused('phone.getGroupCall', {
        call: { id: '1', accessHash: '1' },
        limit: 1,
      })[0]?.pointer,
    ).toBe('/params/call/_');
    expect(refused('account.registerPasskey', { credential: {} })).toEqual([
      {
        pointer: '/params/credential/_',
        detail:
          'is missing: InputPasskeyCredential is one of `inputPasskeyCredentialPublicKey`, `inputPasskeyCredentialFirebasePNV`',
      },
    ]);
  });

  test.each([[7], ['inputPeerEmpty'], [[]], [true]])('are refused for %j where an object is due', (wrong) => {
    expect(refused('messages.readMentions', { peer: wrong })[0]).toMatchObject({
      pointer: '/params/peer',
      detail: expect.stringContaining('must be an object: InputPeer is one of'),
    });
  });

  test('are refused for a number where a long is due, with the text to send', () => {
    expect(refused('messages.readMentions', { peer: { ...peer, accessHash: 42 } })).toEqual([
      {
        pointer: '/params/peer/accessHash',
        detail: 'must be a string, since a JSON number cannot hold every 64-bit integer: send "42"',
      },
    ]);
  });

  test('are refused for a number that has lost digits, without repeating them', () => {
    const accessHash = JSON.parse('9223372036854775807');
    const [error] = refused('messages.readMentions', {
      peer: { ...peer, accessHash },
    });
    expect(error?.detail).not.toContain('send');
  });

  test.each([
    ...['9223372036854775808', '-9223372036854775809', '99999999999999999999', '9'.repeat(1_000)],
    ...['-0', '+1', '01', '00', '', ' 1', '1 ', '1.0', '1e3', '0x1', '١', '-', 'abc', '1\n'],
  ])('are refused for the long %j', (accessHash) => {
    expect(refused('messages.readMentions', { peer: { ...peer, accessHash } })).toHaveLength(1);
  });

  test.each([2_147_483_648, -2_147_483_649, 1.5, 1e300, '1', true, {}, [1]])(
    'are refused for the int %j',
    (id) => {
      expect(refused('messages.readMessageContents', { id: [1, id] })[0]?.pointer).toBe('/params/id/1');
    },
  );

  test('are refused for a number too large for JSON', () => {
    const params = JSON.parse('{"id":[1e400]}');
    expect(refused('messages.readMessageContents', params)[0]?.pointer).toBe('/params/id/0');
    const geo = { _: 'inputGeoPoint', lat: JSON.parse('1e400'), long: '0' };
    expect(refused('contacts.getLocated', { geoPoint: geo }).map(({ pointer }) => pointer)).toEqual([
      '/params/geoPoint/lat',
      '/params/geoPoint/long',
    ]);
  });

  test.each([2 ** 53, -(2 ** 53), 0.5])('are refused for the int53 %s', (chatId) => {
    const params = { chatId, userId: { _: 'inputUserSelf' }, fwdLimit: 0 };
    expect(refused('messages.addChatUser', params)[0]?.pointer).toBe('/params/chatId');
  });

  test.each(['A', 'AB=', 'ABC==', 'AA=A', '+_8=', 'AB CD', 'AAA\n', '====', '=', 'AB', 'AAB=', 'ä', 7])(
    'are refused for the bytes %j',
    (randomId) => {
      expect(refused('messages.viewSponsoredMessage', { randomId })[0]?.pointer).toBe('/params/randomId');
    },
  );

  test('are refused for 31 bytes where a 256-bit integer is due', () => {
    const publicKey = Buffer.alloc(31).toString('base64');
    const call = { _: 'inputGroupCall', id: '1', accessHash: '1' };
    const params = {
      call,
      publicKey,
      block: '',
      params: { _: 'dataJSON', data: '' },
    };
    expect(refused('phone.joinGroupCall', { ...params, joinAs: peer })).toContainEqual({
      pointer: '/params/publicKey',
      detail: 'must be base64 of exactly 32 bytes',
    });
  });

  test.each(['\ud800', 'a\udc00b', '\udc00\ud800', 'end\ud83d'])('are refused for the text %j', (message) => {
    expect(refused('messages.sendMessage', { peer, message })).toEqual([
      {
        pointer: '/params/message',
        detail: 'holds half of a surrogate pair, which UTF-8 cannot say',
      },
    ]);
  });

  test.each([1, 0, 'true', {}])('are refused for the flag %j', (silent) => {
    expect(refused('messages.sendMessage', { peer, message: '', silent })[0]?.pointer).toBe('/params/silent');
  });

  test.each([{}, 'ab', 7])('are refused for %j where an array is due', (id) => {
    expect(refused('messages.readMessageContents', { id })).toEqual([
      { pointer: '/params/id', detail: 'must be an array' },
    ]);
  });

  test('are refused for two orders of resale gifts at once', () => {
    expect(
      refused('payments.getResaleStarGifts', {
        ...gifts,
        sortByPrice: true,
        sortByNum: true,
      }),
    ).toEqual([
      {
        pointer: '/params/sortByNum',
        detail: 'cannot be set together with `sortByPrice`',
      },
    ]);
  });

  test('are refused for an empty text where a long that is no list hash is due', () => {
    expect(
      refused('messages.getSavedHistory', {
        ...history,
        peer: { ...peer, accessHash: '' },
      }),
    ).toHaveLength(1);
  });
});

function accepted(name: string, params: unknown): object {
  const checked = validateParams(findMethod(name) as TlMethod, params);
  if (!checked.ok) throw new Error(JSON.stringify(checked.errors));
  return checked.params;
}

function refused(name: string, params: unknown): FieldError[] {
  const checked = validateParams(findMethod(name) as TlMethod, params);
  if (checked.ok) throw new Error(`accepted: ${JSON.stringify(checked.params)}`);
  return checked.errors;
}
