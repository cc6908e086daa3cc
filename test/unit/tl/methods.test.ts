import { describe, expect, test } from 'vitest';
import { findMethod, listMethods } from '../../../src/tl/methods.ts';
import { plainText } from '../../../src/tl/plain-text.ts';
import { getSchema } from '../../../src/tl/schema.ts';
import { isUpdateKind } from '../../../src/tl/update-kinds.ts';

describe('the methods', () => {
  test('are 787, in the order of their names', () => {
    const names = listMethods().map(({ name }) => name);
    expect(names).toHaveLength(787);
    expect(names).toEqual([...names].sort());
    expect(new Set(names).size).toBe(787);
  });

  test('list what the schema leaves out of file references and offsets', () => {
    const listed = (name: string) => findMethod(name)?.throws.map((error) => error.name) ?? [];
    const errors = ['FILE_REFERENCE_EMPTY', 'FILE_REFERENCE_EXPIRED', 'FILE_REFERENCE_INVALID'];
    expect(listed('messages.uploadMedia')).toEqual(expect.arrayContaining(errors));
    expect(
      listed('messages.sendMedia')
        .filter((name) => errors.includes(name))
        .sort(),
    ).toEqual(errors);
    expect(findMethod('phone.getGroupParticipants')?.throws.at(-1)).toEqual({
      code: 400,
      name: 'OFFSET_INVALID',
      comment: 'The provided offset is invalid.',
    });
  });

  test('are found by their full name', () => {
    expect(findMethod('messages.readMessageContents')).toMatchObject({
      name: 'messages.readMessageContents',
      purpose: expect.stringContaining('emitting an RawUpdateReadMessagesContents'),
      returns: 'messages.AffectedMessages',
      returnsVector: false,
    });
    for (const method of listMethods()) expect(findMethod(method.name)).toBe(method);
  });

  test.each([
    'invokeWithLayer',
    'invokeAfterMsg',
    'initConnection',
    'mtcute.customMethod',
    'readMessageContents',
    'messages.ReadMessageContents',
    'messages.messages',
    '__proto__',
    'constructor',
    'toString',
    '',
  ])('do not include %j', (name) => {
    expect(findMethod(name)).toBeNull();
  });

  test('name what they return', () => {
    expect(findMethod('account.updateStatus')).toMatchObject({
      returns: 'Bool',
      returnsVector: false,
    });
    expect(findMethod('users.getUsers')).toMatchObject({
      returns: 'Vector<User>',
      returnType: 'User',
      returnsVector: true,
    });
  });

  test('name the errors they answer with, in plain text', () => {
    expect(findMethod('messages.getRichMessage')?.throws).toBeInstanceOf(Array);
    expect(findMethod('messages.addChatUser')?.throws).toContainEqual({
      code: 400,
      name: 'USER_ALREADY_PARTICIPANT',
      comment: 'The user is already in the group.',
    });
  });

  test('are described without HTML or links', () => {
    const texts = listMethods().flatMap(({ purpose, throws }) => [purpose, ...throws.map((e) => e.comment)]);
    for (const text of texts) expect(text).not.toMatch(/<\/?[a-z]|\{@link|&[a-z]+;|\s{2}|^\s|\s$/);
    expect(findMethod('auth.recoverPassword')?.purpose).toContain('auth.requestPasswordRecovery');
  });

  test('and their comments name only what there is', () => {
    const { constructors, methods, types } = getSchema();
    const entries = [...constructors.values(), ...methods.values()];
    const comments = entries.flatMap((entry) =>
      [entry, ...entry.arguments].map(({ comment = '' }) => comment),
    );
    const links = new Set(comments.flatMap((comment) => comment.match(/\{@link [\w.]+\}/g) ?? []));
    const isThere = (name: string) =>
      constructors.has(name) || methods.has(name) || types.has(name) || isUpdateKind(name);
    expect([...links].map(plainText).filter((name) => !isThere(name))).toEqual([]);
    expect(links.size).toBeGreaterThan(100);
  });

  test.each([
    ['messages.sendMessage', { randomId: 'one', randomIdItems: null }],
    ['messages.forwardMessages', { randomId: 'many', randomIdItems: null }],
    ['messages.sendMultiMedia', { randomId: null, randomIdItems: 'multiMedia' }],
    ['messages.requestEncryption', { randomId: null, randomIdItems: null }],
    ['messages.viewSponsoredMessage', { randomId: null, randomIdItems: null }],
    ['help.getSupport', { randomId: null, randomIdItems: null }],
  ])('say which randomId of %s may be left out', (name, randomIds) => {
    expect(findMethod(name)).toMatchObject(randomIds);
  });
});
