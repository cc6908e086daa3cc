/** The CBOR values that authenticators use. */
export type Cbor = number | string | boolean | null | Buffer | Cbor[] | Map<Cbor, Cbor>;

// An attestation has some dozens. Tens of thousands hold up other calls, and a map of thousands of numbers could take a second: they can be
// such that each is compared with all.
const VALUES_MAX = 256;

/**
 * Decodes the first CBOR value, and returns the bytes after it. Throws a `RangeError` if it is cut short, has more than 256 values, those
 * within others included, or is of none of the types of `Cbor`. Source: RFC 8949, without tags, floats and values of indefinite length,
 * which CTAP2 forbids or authenticators do not use.
 */
export function decodeFirst(bytes: Buffer): [value: Cbor, rest: Buffer] {
  return decode(bytes, { left: VALUES_MAX });
}

/** How many more values are decoded. */
interface Budget {
  left: number;
}

function decode(bytes: Buffer, budget: Budget): [value: Cbor, rest: Buffer] {
  if (budget.left === 0) throw new RangeError('CBOR has too many values');
  budget.left -= 1;
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
      return decodeArray(rest, size, budget);
    case 5:
      return decodeMap(rest, size, budget);
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

function decodeArray(bytes: Buffer, size: number, budget: Budget): [Cbor[], Buffer] {
  const items: Cbor[] = [];
  let rest = bytes;
  for (let i = 0; i < size; i += 1) {
    const [item, behind] = decode(rest, budget);
    items.push(item);
    rest = behind;
  }
  return [items, rest];
}

function decodeMap(bytes: Buffer, size: number, budget: Budget): [Map<Cbor, Cbor>, Buffer] {
  const [items, rest] = decodeArray(bytes, size * 2, budget);
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
