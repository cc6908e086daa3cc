/** The CBOR values that authenticators use. */
export type Cbor = number | string | boolean | null | Buffer | Cbor[] | Map<Cbor, Cbor>;

// An attestation is three deep.
const DEPTH_MAX = 8;

// An attestation has a dozen at most. A map of thousands of numbers could take a second: they can be such that each is compared with all.
const MEMBERS_MAX = 64;

/**
 * Decodes the first CBOR value, and returns the bytes after it. Throws a `RangeError` if it is cut short, nested too deeply, has a map of
 * more than 64 members or an array of more than 128, or is of none of the types of `Cbor`. Source: RFC 8949, without tags, floats and
 * values of indefinite length, which CTAP2 forbids or authenticators do not use.
 */
export function decodeFirst(bytes: Buffer, depth = 0): [value: Cbor, rest: Buffer] {
  if (depth > DEPTH_MAX) throw new RangeError('CBOR is nested too deeply');
  const major = (bytes[0] ?? 0) >> 5;
  const [size, rest] = readArgument(bytes);
  switch (major) {
    case 0:
      return [size, rest];
    case 1:
      return [-1 - size, rest];
    case 2:
      return [take(rest, size), rest.subarray(size)];
    case 3:
      return [take(rest, size).toString('utf8'), rest.subarray(size)];
    case 4:
      return decodeArray(rest, size, depth);
    case 5:
      return decodeMap(rest, size, depth);
    default:
      return [simpleValue(bytes[0] ?? 0), rest];
  }
}

function readArgument(bytes: Buffer): [argument: number, rest: Buffer] {
  const low = take(bytes, 1).readUInt8() & 0x1f;
  if (low < 24) return [low, bytes.subarray(1)];
  const length = { 24: 1, 25: 2, 26: 4 }[low];
  if (length === undefined) throw new RangeError('CBOR of this length is not read');
  return [take(bytes.subarray(1), length).readUIntBE(0, length), bytes.subarray(1 + length)];
}

function decodeArray(bytes: Buffer, size: number, depth: number): [Cbor[], Buffer] {
  if (size > 2 * MEMBERS_MAX) throw new RangeError('a CBOR array or map has too many members');
  const items: Cbor[] = [];
  let rest = bytes;
  for (let i = 0; i < size; i += 1) {
    const [item, behind] = decodeFirst(rest, depth + 1);
    items.push(item);
    rest = behind;
  }
  return [items, rest];
}

function decodeMap(bytes: Buffer, size: number, depth: number): [Map<Cbor, Cbor>, Buffer] {
  const [items, rest] = decodeArray(bytes, size * 2, depth);
  const map = new Map<Cbor, Cbor>();
  for (let i = 0; i < items.length; i += 2) map.set(items[i] as Cbor, items[i + 1] as Cbor);
  if (map.size < size) throw new RangeError('a CBOR map has a key twice');
  return [map, rest];
}

function simpleValue(byte: number): boolean | null {
  if (byte === 0xf4 || byte === 0xf5) return byte === 0xf5;
  if (byte === 0xf6) return null;
  throw new RangeError('CBOR of this type is not read');
}

function take(bytes: Buffer, size: number): Buffer {
  if (bytes.length < size) throw new RangeError('CBOR is cut short');
  return bytes.subarray(0, size);
}
