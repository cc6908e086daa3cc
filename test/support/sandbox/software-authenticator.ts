import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** What an authenticator may do differently from what it was asked for. */
export interface Deviation {
  challenge?: string;
  origin?: string;
  type?: string;
  rpId?: string;
  flags?: number;
  /** Attests itself, by a signature. */
  selfAttestation?: boolean;
  /** Changes the signature. */
  forged?: boolean;
  id?: string;
}

type Cbor = number | string | Buffer | Map<Cbor, Cbor>;

// User present, user verified, credential data included.
const FLAGS = 0x45;

const ES256 = -7;

/** An authenticator in software: each credential it makes is a new ES256 key. */
export class SoftwareAuthenticator {
  readonly id = randomBytes(32).toString('base64url');
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  /** Answers the options of a registration, as the TL credential that a client makes of it. */
  register(options: string, deviation: Deviation = {}) {
    const { publicKey } = JSON.parse(options) as { publicKey: { challenge: string; rp: { id: string } } };
    const { challenge = publicKey.challenge, type = 'webauthn.create', id = this.id } = deviation;
    const { origin = `https://${publicKey.rp.id}`, rpId = publicKey.rp.id, flags = FLAGS } = deviation;
    const data = JSON.stringify({ type, challenge, origin, crossOrigin: false });
    const authData = this.authenticatorData(rpId, flags);
    const attestation = new Map<Cbor, Cbor>([
      ['fmt', deviation.selfAttestation ? 'packed' : 'none'],
      ['attStmt', deviation.selfAttestation ? this.attest(authData, data, deviation.forged) : new Map()],
      ['authData', authData],
    ]);
    return {
      _: 'inputPasskeyCredentialPublicKey',
      id,
      rawId: id,
      response: {
        _: 'inputPasskeyResponseRegister',
        clientData: { _: 'dataJSON', data },
        attestationData: encode(attestation).toString('base64'),
      },
    };
  }

  private authenticatorData(rpId: string, flags: number): Buffer {
    const id = Buffer.from(this.id, 'base64url');
    const counter = Buffer.alloc(4);
    const aaguid = Buffer.alloc(16);
    const length = Buffer.from([id.length >> 8, id.length & 0xff]);
    const key = encode(coseKey(this.keys.publicKey));
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, aaguid, length, id, key]);
  }

  private attest(authData: Buffer, clientData: string, forged = false): Map<Cbor, Cbor> {
    const signed = Buffer.concat([authData, sha256(clientData)]);
    const { privateKey } = forged ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : this.keys;
    return new Map<Cbor, Cbor>([
      ['alg', ES256],
      ['sig', sign('sha256', signed, privateKey)],
    ]);
  }
}

function coseKey(key: KeyObject): Map<Cbor, Cbor> {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return new Map<Cbor, Cbor>([
    [1, 2],
    [3, ES256],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]);
}

function sha256(data: string): Buffer {
  return createHash('sha256').update(data).digest();
}

function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([k, v]) => [encode(k), encode(v)])]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 0xff]);
}
