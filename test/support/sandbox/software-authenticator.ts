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
  /** Names another algorithm beside the signature. */
  statedAlgorithm?: number;
  /** Names another format, with what belongs to it. */
  format?: string;
  statement?: Map<Cbor, Cbor>;
  /** Bytes behind the authenticator data, and behind all of it. */
  behindData?: Buffer;
  /** How many bytes its public key has that are of no use. */
  uselessBytes?: number;
  behind?: Buffer;
  /** How many bytes of the end are missing. */
  missing?: number;
  id?: string;
}

export type Cbor = number | string | Buffer | Map<Cbor, Cbor>;

// User present, user verified, credential data included.
const FLAGS = 0x45;

const ALGORITHMS = { ES256: -7, EdDSA: -8, RS256: -257 };

type Algorithm = keyof typeof ALGORITHMS;

/** An authenticator in software: each credential it makes is a new key. */
export class SoftwareAuthenticator {
  readonly id = randomBytes(32).toString('base64url');
  private readonly algorithm: Algorithm;
  private readonly keys: { publicKey: KeyObject; privateKey: KeyObject };

  constructor(algorithm: Algorithm = 'ES256') {
    this.algorithm = algorithm;
    this.keys = keyPair(algorithm);
  }

  /** Answers the options of a registration, as the TL credential that a client makes of it. */
  register(options: string, deviation: Deviation = {}) {
    const { publicKey } = JSON.parse(options) as { publicKey: { challenge: string; rp: { id: string } } };
    const { challenge = publicKey.challenge, type = 'webauthn.create', id = this.id } = deviation;
    const { origin = `https://${publicKey.rp.id}`, rpId = publicKey.rp.id, flags = FLAGS } = deviation;
    const data = JSON.stringify({ type, challenge, origin, crossOrigin: false });
    const {
      behindData = Buffer.alloc(0),
      uselessBytes = 0,
      behind = Buffer.alloc(0),
      missing = 0,
    } = deviation;
    const authData = Buffer.concat([this.authenticatorData(rpId, flags, uselessBytes), behindData]);
    const format = deviation.selfAttestation ? 'packed' : 'none';
    const statement = deviation.selfAttestation ? this.attest(authData, data, deviation) : new Map();
    const attestation = new Map<Cbor, Cbor>([
      ['fmt', deviation.format ?? format],
      ['attStmt', deviation.statement ?? statement],
      ['authData', authData],
    ]);
    const bytes = Buffer.concat([encode(attestation), behind]);
    return {
      _: 'inputPasskeyCredentialPublicKey',
      id,
      rawId: id,
      response: {
        _: 'inputPasskeyResponseRegister',
        clientData: { _: 'dataJSON', data },
        attestationData: bytes.subarray(0, bytes.length - missing).toString('base64'),
      },
    };
  }

  private authenticatorData(rpId: string, flags: number, uselessBytes: number): Buffer {
    const id = Buffer.from(this.id, 'base64url');
    const counter = Buffer.alloc(4);
    const aaguid = Buffer.alloc(16);
    const length = Buffer.from([id.length >> 8, id.length & 0xff]);
    const entries = coseKey(this.algorithm, this.keys.publicKey);
    if (uselessBytes > 0) entries.set(99, Buffer.alloc(uselessBytes));
    const key = encode(entries);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, aaguid, length, id, key]);
  }

  private attest(
    authData: Buffer,
    clientData: string,
    { forged, statedAlgorithm }: Deviation,
  ): Map<Cbor, Cbor> {
    const signed = Buffer.concat([authData, sha256(clientData)]);
    const { privateKey } = forged ? keyPair(this.algorithm) : this.keys;
    return new Map<Cbor, Cbor>([
      ['alg', statedAlgorithm ?? ALGORITHMS[this.algorithm]],
      ['sig', sign(this.algorithm === 'EdDSA' ? null : 'sha256', signed, privateKey)],
    ]);
  }
}

function keyPair(algorithm: Algorithm): { publicKey: KeyObject; privateKey: KeyObject } {
  if (algorithm === 'EdDSA') return generateKeyPairSync('ed25519');
  if (algorithm === 'RS256') return generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function coseKey(algorithm: Algorithm, key: KeyObject): Map<Cbor, Cbor> {
  const jwk = key.export({ format: 'jwk' });
  const member = (name: 'x' | 'y' | 'n' | 'e') => Buffer.from(jwk[name] ?? '', 'base64url');
  const entries: Record<Algorithm, [Cbor, Cbor][]> = {
    ES256: [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, member('x')],
      [-3, member('y')],
    ],
    EdDSA: [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, member('x')],
    ],
    RS256: [
      [1, 3],
      [3, -257],
      [-1, member('n')],
      [-2, member('e')],
    ],
  };
  return new Map(entries[algorithm]);
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
