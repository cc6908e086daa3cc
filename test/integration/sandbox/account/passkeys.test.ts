import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../../src/ids.ts';
import { stateKey } from '../../../../src/redis/keys.ts';
import { Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';
import {
  type Cbor,
  type Deviation,
  SoftwareAuthenticator,
} from '../../../support/sandbox/software-authenticator.ts';

let sandbox: Sandbox;
let workspaceId: string;
let account: SandboxAccount;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  workspaceId = newId('workspace');
});

beforeEach(async () => {
  account = await sandbox.anAccount('Account', { workspaceId });
});

afterAll(() => sandbox.close());

const result = (method: string, params: object = {}, of = account) => sandbox.call(of, method, params);
const refused = (credential: object, of = account) =>
  sandbox.refusal(of, 'account.registerPasskey', { credential });

async function challenge(of = account): Promise<string> {
  return (await result('account.initPasskeyRegistration', {}, of)).options.data;
}

async function answer(deviation: Deviation = {}, authenticator = new SoftwareAuthenticator()) {
  return authenticator.register(await challenge(), deviation);
}

async function listed(of = account): Promise<string[]> {
  const { passkeys } = await result('account.getPasskeys', {}, of);
  return passkeys.map(({ id }: { id: string }) => id);
}

function deep(): Map<Cbor, Cbor> {
  let map = new Map<Cbor, Cbor>();
  for (let i = 0; i < 20; i += 1) map = new Map([['in', map]]);
  return map;
}

const SHOWN = {
  _: 'inputPasskeyCredentialPublicKey',
  id: 'AQID',
  rawId: 'AQID',
  response: {
    _: 'inputPasskeyResponseRegister',
    clientData: { _: 'dataJSON', data: '{}' },
    attestationData: 'AQID',
  },
};

it('registers what an authenticator made for the challenge, lists it and forgets it', async () => {
  const authenticator = new SoftwareAuthenticator();
  const options = JSON.parse(await challenge()).publicKey;
  expect(options).toMatchObject({ rp: { id: expect.any(String) }, user: { name: account.username } });
  const passkey = await result('account.registerPasskey', { credential: await answer({}, authenticator) });
  expect(passkey).toMatchObject({
    id: authenticator.id,
    name: expect.stringMatching(/./),
    softwareEmojiId: expect.stringMatching(/^\d+$/),
    lastUsageDate: expect.any(Number),
  });
  expect(await listed()).toEqual([authenticator.id]);
  expect(JSON.parse(await challenge()).publicKey.excludeCredentials).toMatchObject([
    { id: authenticator.id },
  ]);
  const other = await sandbox.anAccount('Account', { workspaceId });
  expect(await listed(other)).toEqual([]);
  expect(await result('account.deletePasskey', { id: authenticator.id }, other)).toEqual({ _: 'boolFalse' });
  expect(await result('account.deletePasskey', { id: authenticator.id })).toEqual({ _: 'boolTrue' });
  expect(await listed()).toEqual([]);
});

it('takes credentials of apps, of hosts under its own, and those that attest themselves', async () => {
  const app = `android:apk-key-hash:${'a'.repeat(43)}`;
  await result('account.registerPasskey', { credential: await answer({ origin: app }) });
  const origin = 'http://web.switchboard.localhost:8080';
  await result('account.registerPasskey', { credential: await answer({ origin }) });
  await result('account.registerPasskey', { credential: await answer({ selfAttestation: true }) });
  expect(await listed()).toHaveLength(3);
});

it.each(['ES256', 'EdDSA', 'RS256'] as const)('takes keys of %s', async (algorithm) => {
  for (const selfAttestation of [false, true]) {
    const authenticator = new SoftwareAuthenticator(algorithm);
    await result('account.registerPasskey', { credential: await answer({ selfAttestation }, authenticator) });
    expect(await listed()).toContain(authenticator.id);
  }
  const forged = await answer({ selfAttestation: true, forged: true }, new SoftwareAuthenticator(algorithm));
  expect(await refused(forged)).toBe('CREDENTIAL_INVALID');
});

it('takes any well-formed credential until the account first asks for a challenge', async () => {
  expect(await result('account.registerPasskey', { credential: SHOWN })).toMatchObject({ id: 'AQID' });
  expect(await listed()).toEqual(['AQID']);
  await challenge();
  expect(await refused(SHOWN)).toBe('CREDENTIAL_INVALID');
});

it('leaves a passkey its owner when another account is reset that has shown one of the same id', async () => {
  const authenticator = new SoftwareAuthenticator();
  await result('account.registerPasskey', { credential: await answer({}, authenticator) });
  const other = await sandbox.anAccount('Account', { workspaceId });
  const { id } = authenticator;
  await result('account.registerPasskey', { credential: { ...SHOWN, id, rawId: id } }, other);
  while (!(await sandbox.order(other, 'resetAccount')).done);
  expect(await refused(authenticator.register(await challenge(other)), other)).toBe('CREDENTIAL_INVALID');
  while (!(await sandbox.order(account, 'resetAccount')).done);
  await result(
    'account.registerPasskey',
    { credential: authenticator.register(await challenge(other)) },
    other,
  );
});

describe('refuses', () => {
  const forged: [string, Deviation][] = [
    ['another challenge', { challenge: Buffer.from('guessed').toString('base64url') }],
    ['another site', { origin: 'https://example.com' }],
    ['a site with a similar name', { origin: 'https://notswitchboard.localhost' }],
    ['no site', { origin: 'null' }],
    ['a login', { type: 'webauthn.get' }],
    ['another messenger', { rpId: 'example.com' }],
    ['a user that was not verified', { flags: 0x41 }],
    ['nobody present', { flags: 0x44 }],
    ['a signature of another key', { selfAttestation: true, forged: true }],
    ['another id', { id: 'AQIDBAUG' }],
    ['a backup of what cannot be backed up', { flags: 0x55 }],
    ['a signature of another algorithm', { selfAttestation: true, statedAlgorithm: -257 }],
    [
      'a certificate of nobody known',
      { format: 'packed', statement: new Map<Cbor, Cbor>([['x5c', Buffer.alloc(9)]]) },
    ],
    ['no attestation, with one', { statement: new Map([['sig', Buffer.alloc(64)]]) }],
    ['an attestation of another format', { format: 'tpm' }],
    ['too long authenticator data', { behindData: Buffer.alloc(1) }],
    ['extensions it has not', { flags: 0xc5 }],
    ['no key', { flags: 0x05 }],
    ['too long a key', { uselessBytes: 2_048 }],
    ['bytes left over', { behind: Buffer.alloc(1) }],
    ['bytes that are missing', { missing: 1 }],
    ['bytes nested deeply', { statement: deep() }],
  ];

  it.each(forged)('a credential for %s', async (_, deviation) => {
    expect(await refused(await answer(deviation))).toBe('CREDENTIAL_INVALID');
    expect(await listed()).toEqual([]);
  });

  it('a replayed credential, for the same account and for another one', async () => {
    const credential = await answer();
    await result('account.registerPasskey', { credential });
    expect(await refused(credential)).toBe('CREDENTIAL_INVALID');
    const other = await sandbox.anAccount('Account', { workspaceId });
    const authenticator = new SoftwareAuthenticator();
    const stolen = authenticator.register(await challenge(other));
    expect(await refused(stolen)).toBe('CREDENTIAL_INVALID');
    await result('account.registerPasskey', { credential: stolen }, other);
    const again = authenticator.register(await challenge());
    expect(await refused(again)).toBe('CREDENTIAL_INVALID');
  });

  it('the answer to a challenge that was replaced, or that has expired', async () => {
    const replaced = await answer();
    const expired = await answer();
    expect(await refused(replaced)).toBe('CREDENTIAL_INVALID');
    const { redis } = sandbox;
    const [key, field] = [stateKey(workspaceId, 'passkey-challenges'), String(account.userId)];
    const kept = JSON.parse((await redis.hget(key, field)) ?? '{}');
    expect(kept.expiresAt).toBeGreaterThan(Date.now() / 1_000);
    await redis.hset(key, field, JSON.stringify({ ...kept, expiresAt: 1 }));
    expect(await refused(expired)).toBe('CREDENTIAL_INVALID');
    await redis.hset(key, field, JSON.stringify(kept));
    await result('account.registerPasskey', { credential: expired });
  });

  it('malformed credentials, of any account', async () => {
    const { response } = SHOWN;
    const clientData = { _: 'dataJSON', data: 'no JSON' };
    for (const changes of [
      { id: '' },
      { rawId: 'BAUG' },
      { response: { ...response, attestationData: '' } },
      { response: { ...response, clientData } },
      {
        response: { ...response, _: 'inputPasskeyResponseLogin' },
      },
    ]) {
      const { status } = await sandbox.answer(account, 'account.registerPasskey', {
        credential: { ...SHOWN, ...changes },
      });
      expect(status).toBe(400);
    }
    const token = { _: 'inputPasskeyCredentialFirebasePNV', pnvToken: 'token' };
    expect(await refused(token)).toBe('CREDENTIAL_INVALID');
    expect(await listed()).toEqual([]);
  });

  it('to challenge a bot, or to register its passkey', async () => {
    const bot = await sandbox.anAccount('Account', { workspaceId, bot: true });
    expect(await sandbox.refusal(bot, 'account.initPasskeyRegistration', {})).toBe('ACCESS_DENIED');
    expect(await refused(SHOWN, bot)).toBe('ACCESS_DENIED');
  });
});
