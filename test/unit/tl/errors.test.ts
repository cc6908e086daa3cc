import { describe, expect, test } from 'vitest';
import { ERROR_NAME_MAX, findMessengerError } from '../../../src/tl/errors.ts';
import { listMethods } from '../../../src/tl/methods.ts';

describe('findMessengerError', () => {
  test('finds an error by its name', () => {
    expect(findMessengerError('CHAT_ID_INVALID')).toEqual({
      code: 400,
      name: 'CHAT_ID_INVALID',
      comment: 'The provided chat id is invalid.',
    });
  });

  test('finds every error that a method is known to answer with', () => {
    for (const method of listMethods()) {
      for (const { code, name } of method.throws) {
        expect(findMessengerError(name, method.name)).toMatchObject({
          code,
          name,
        });
        expect(findMessengerError(name)).not.toBeNull();
      }
    }
  });

  test('gives an error the number that the method gives it', () => {
    expect(findMessengerError('PEER_ID_INVALID', 'messages.sendMessage')?.code).toBe(404);
    expect(findMessengerError('PEER_ID_INVALID', 'messages.addChatUser')?.code).toBe(400);
    expect(findMessengerError('PEER_ID_INVALID')?.code).toBe(400);
  });

  test('finds an error that only the list beside the schema has', () => {
    expect(findMessengerError('AUTH_KEY_UNREGISTERED')).toMatchObject({
      code: 401,
    });
  });

  test.each([
    ['FLOOD_WAIT_42', 'FLOOD_WAIT_%d', 420, 42],
    ['SLOWMODE_WAIT_5', 'SLOWMODE_WAIT_%d', 420, 5],
    ['2FA_CONFIRM_WAIT_604800', '2FA_CONFIRM_WAIT_%d', 420, 604_800],
    ['SESSION_TOO_FRESH_86400', 'SESSION_TOO_FRESH_%d', 400, 86_400],
    ['PREVIOUS_CHAT_IMPORT_ACTIVE_WAIT_7MIN', 'PREVIOUS_CHAT_IMPORT_ACTIVE_WAIT_%dMIN', 406, 420],
    ['FILE_PART_3_MISSING', 'FILE_PART_%d_MISSING', 400, undefined],
    ['FILE_REFERENCE_0_EXPIRED', 'FILE_REFERENCE_%d_EXPIRED', 400, undefined],
    ['NETWORK_MIGRATE_2', 'NETWORK_MIGRATE_%d', 303, undefined],
    ['ALLOW_PAYMENT_REQUIRED_10', 'ALLOW_PAYMENT_REQUIRED_%d', 403, undefined],
    ['EMAIL_UNCONFIRMED_6', 'EMAIL_UNCONFIRMED_%d', 400, undefined],
  ])('finds %s, and the seconds where it names a wait', (name, template, code, seconds) => {
    const error = findMessengerError(name);
    expect(error).toMatchObject({ name, template, code });
    expect(error?.seconds).toBe(seconds);
    expect(error?.comment ?? '').not.toContain('%d');
  });

  test('does not take a number in a name for one that changes', () => {
    expect(findMessengerError('MD5_CHECKSUM_INVALID')).not.toHaveProperty('template');
  });

  test.each(['NO_SUCH_ERROR', 'FLOOD_WAIT_', 'FLOOD_WAIT_X', 'FLOOD_WAIT_1_2', 'WAIT_3', 'peer_id_invalid'])(
    'invents no %s',
    (name) => {
      expect(findMessengerError(name)).toBeNull();
    },
  );

  test.each(['__proto__', 'constructor', ''])('does not find %j either', (name) => {
    expect(findMessengerError(name)).toBeNull();
  });
});

test('no error of the schema has a longer name than is looked for', () => {
  const names = listMethods().flatMap(({ throws }) => throws.map(({ name }) => name));
  expect(names.length).toBeGreaterThan(100);
  for (const name of names) expect(name.length).toBeLessThanOrEqual(ERROR_NAME_MAX - 10);
});
