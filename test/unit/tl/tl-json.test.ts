import type { tl } from '@mtcute/core';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { listMethods } from '../../../src/tl/methods.ts';
import { getSchema } from '../../../src/tl/schema.ts';
import {
  type MethodName,
  type MethodParams,
  type MethodResult,
  type TlJson,
  type Update,
  updateKind,
} from '../../../src/tl/tl-json.ts';

describe('updateKind', () => {
  test('is what mtcute calls the type of the update', () => {
    expect(updateKind({ _: 'updateReadMessagesContents' })).toBe('RawUpdateReadMessagesContents');
    const kinds = (getSchema().types.get('Update') ?? []).map((entry) => updateKind({ _: entry.name }));
    expect(new Set(kinds).size).toBe(kinds.length);
    for (const kind of kinds) expect(kind).toMatch(/^RawUpdate[A-Z]/);
  });
});

describe('the types', () => {
  test('name every callable method', () => {
    const name: MethodName = 'messages.readMessageContents';
    expect(listMethods().map((method) => method.name)).toContain(name);
    expectTypeOf<'invokeWithLayer'>().not.toExtend<MethodName>();
    expectTypeOf<'initConnection'>().not.toExtend<MethodName>();
    expectTypeOf<'mtcute.customMethod'>().not.toExtend<MethodName>();
  });

  test('give params without `_`, with longs and bytes as text', () => {
    type Params = MethodParams<'messages.forwardMessages'>;
    expectTypeOf<Params['randomId']>().toEqualTypeOf<string[]>();
    expectTypeOf<Params['id']>().toEqualTypeOf<number[]>();
    expectTypeOf<Params>().not.toHaveProperty('_');
    expectTypeOf<MethodParams<'messages.viewSponsoredMessage'>['randomId']>().toEqualTypeOf<string>();
  });

  test('give unions their constructors, and none of mtcute', () => {
    type Peer = MethodParams<'messages.readMentions'>['peer'];
    expectTypeOf<Peer['_']>().toEqualTypeOf<
      | 'inputPeerEmpty'
      | 'inputPeerSelf'
      | 'inputPeerChat'
      | 'inputPeerUser'
      | 'inputPeerChannel'
      | 'inputPeerUserFromMessage'
      | 'inputPeerChannelFromMessage'
    >();
    expectTypeOf<Extract<Peer, { _: 'inputPeerUser' }>['accessHash']>().toEqualTypeOf<string>();
  });

  test('let a handler return booleans, arrays, and objects without the flags that are not set', () => {
    expectTypeOf<MethodResult<'account.updateStatus'>>().toEqualTypeOf<boolean>();
    expectTypeOf<MethodResult<'stories.readStories'>>().toEqualTypeOf<number[]>();
    const invited: MethodResult<'messages.addChatUser'> = {
      _: 'messages.invitedUsers',
      updates: { _: 'updatesTooLong' },
      missingInvitees: [{ _: 'missingInvitee', userId: 1 }],
    };
    expect(invited).toBeDefined();
  });

  test('refuse a result of another shape', () => {
    // @ts-expect-error `ptsCount` is missing.
    const affected: MethodResult<'messages.readMessageContents'> = {
      _: 'messages.affectedMessages',
      pts: 1,
    };
    expect(affected).toBeDefined();
  });

  test('give updates and any other TL object', () => {
    expectTypeOf<Extract<Update, { _: 'updateReadMessagesContents' }>['messages']>().toEqualTypeOf<
      number[]
    >();
    expectTypeOf<TlJson<tl.RawWallPaper>['accessHash']>().toEqualTypeOf<string>();
  });
});
