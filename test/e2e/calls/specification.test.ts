import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findMethod } from '../../../src/tl/methods.ts';
import { type Account, Service } from '../../support/service/service.ts';
import { checkResult } from '../../support/tl/check-result.ts';
import { DESCRIBED_METHODS, SPECIFIED_METHODS, SPECIFIED_SHAPES } from '../../support/tl/specification.ts';

/** What a reader of the specification sends who knows nothing else: empty peers, and 1 for an id. */
const VALUES: Record<string, unknown> = {
  inputPeerEmpty: { _: 'inputPeerEmpty' },
  inputChannelEmpty: { _: 'inputChannelEmpty' },
  inputUserEmpty: { _: 'inputUserEmpty' },
  inputGroupCall: { _: 'inputGroupCall', id: '1', accessHash: '0' },
  inputInvoiceMessage: {
    _: 'inputInvoiceMessage',
    peer: { _: 'inputPeerEmpty' },
    msgId: 1,
  },
  'inputPrivacyValueAllowContacts[]': [{ _: 'inputPrivacyValueAllowContacts' }],
  inputPasskeyCredentialPublicKey: {
    _: 'inputPasskeyCredentialPublicKey',
    id: 'c3dpdGNoYm9hcmQ',
    rawId: 'c3dpdGNoYm9hcmQ',
    response: {
      _: 'inputPasskeyResponseRegister',
      clientData: {
        _: 'dataJSON',
        data: '{"type":"webauthn.create","challenge":"AA","origin":"https://example.com"}',
      },
      attestationData: 'AAAA',
    },
  },
};

const NAMED: Record<string, unknown> = {
  limit: 10,
  fwdLimit: 10,
  msgId: 1,
  chatId: 1,
  id: 1,
  hash: '0',
  offset: '',
  slug: '',
  title: 'Theme',
  randomId: '1234567890123456789',
};

/** Documented optional fields that a new account's answer does not have, and why. */
const ABSENT: Record<string, string> = {
  'stats.publicForwards.nextOffset': 'the last page has none',
  'phone.groupCall.chats': 'no chat takes part',
  'theme.document': 'a theme made without one has none',
  'theme.settings': 'a theme made without settings has none',
  'theme.emoticon': 'only chat themes have one',
  'message.*': 'the specification shows messageEmpty',
};

let service: Service;
let workspaceId: string;

beforeAll(async () => {
  service = await Service.start();
  workspaceId = (await service.aWorkspace()).id;
});

afterAll(() => service.stop());

function valueFor(name: string, type: string): unknown {
  if (type === 'integer[]') return [1];
  if (type === 'string[]') return ['1234567890123456789'];
  return VALUES[type] ?? NAMED[name] ?? (type === 'integer' ? 0 : '');
}

function documentedParams(params: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).map(([name, type]) => [name, valueFor(name, type)]));
}

/** Documented fields that are not there, of every object in the result that has the tag of a documented shape. */
function missingFields(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(missingFields);
  if (typeof value !== 'object' || value === null) return [];
  const { _: tag, ...members } = value as { _: string };
  const missing = Object.keys(SPECIFIED_SHAPES[tag] ?? {}).filter((name) => !(name in members));
  return [...missing.map((name) => `${tag}.${name}`), ...Object.values(members).flatMap(missingFields)];
}

describe('on a new account, in the documented shape', () => {
  for (const { name, params, result: tag } of SPECIFIED_METHODS) {
    it(`${name} answers ${tag}`, async () => {
      const account = await service.anAccount(workspaceId);
      const { status, body } = await service.call(account, name, documentedParams(params));
      expect(status, JSON.stringify(body)).toBe(200);
      expect(Object.keys(body)).toEqual(['result', 'txid']);
      expect(body.result._).toBe(tag);
      const method = findMethod(name);
      expect(method && checkResult(method, body.result)).toEqual([]);
      expect(missingFields(body.result).filter((field) => !(field in ABSENT))).toEqual([]);
    });
  }

  it('payments.getResaleStarGifts lists what is on sale', async () => {
    const account = await service.anAccount(workspaceId);
    const owned = await service.result(account, 'payments.getSavedStarGifts', {
      peer: { _: 'inputPeerEmpty' },
      offset: '',
      limit: 100,
    });
    const unique = owned.gifts.map(({ gift }: { gift: { _: string } }) => gift).find(isUnique);
    const listed = await service.result(account, 'payments.getResaleStarGifts', {
      giftId: unique.giftId,
      offset: '',
      limit: 10,
    });
    expect(listed._).toBe('payments.resaleStarGifts');
    expect(checkOf('payments.getResaleStarGifts', listed)).toEqual([]);
  });

  it('payments.getSavedStarGift finds gifts of the account, pinned or not', async () => {
    const account = await service.anAccount(workspaceId);
    const owned = await service.result(account, 'payments.getSavedStarGifts', {
      peer: { _: 'inputPeerSelf' },
      offset: '',
      limit: 100,
    });
    const stargift = owned.gifts.map(({ msgId }: { msgId: number }) => ({
      _: 'inputSavedStarGiftUser',
      msgId,
    }));
    const found = await service.result(account, 'payments.getSavedStarGift', {
      stargift,
    });
    expect(found.gifts).toHaveLength(owned.gifts.length);
    expect(checkOf('payments.getSavedStarGift', found)).toEqual([]);
  });
});

it('knows all 22 methods, and refuses a wrong one', async () => {
  const account: Account = await service.anAccount(workspaceId);
  const names = [...SPECIFIED_METHODS.map(({ name }) => name), ...DESCRIBED_METHODS];
  expect(names).toHaveLength(22);
  for (const name of names) {
    const { status, body } = await service.call(account, name, {
      noSuchField: 1,
    });
    expect({ name, status, code: body.code }).toEqual({
      name,
      status: 400,
      code: 'invalid_params',
    });
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toContain('/params/noSuchField');
  }
  expect(await service.call(account, 'messages.noSuchMethod', {})).toMatchObject({
    status: 404,
    body: { code: 'unknown_method' },
  });
  expect(await service.call(account, 'account.resetPassword', {})).toMatchObject({
    status: 501,
    body: {
      code: 'method_not_implemented',
      detail: expect.stringContaining('GET /v1/methods?executed=true'),
    },
  });
});

function isUnique(gift: { _: string }): boolean {
  return gift._ === 'starGiftUnique';
}

function checkOf(name: string, result: unknown) {
  const method = findMethod(name);
  return method === null ? [{ pointer: '', detail: 'unknown method' }] : checkResult(method, result);
}
