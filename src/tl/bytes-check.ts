import type { Report } from './report.ts';

const STANDARD = /^[A-Za-z0-9+/]*={0,2}$/;
const URL_SAFE = /^[A-Za-z0-9_-]*={0,2}$/;

/** Checks base64 (standard or url-safe, padded or not) of `length` bytes (null for any), and returns it standard and padded. */
export function checkBytes(value: unknown, report: Report, length: number | null): unknown {
  if (typeof value !== 'string' || !(STANDARD.test(value) || URL_SAFE.test(value))) {
    report.add('must be a string in base64');
    return value;
  }
  const bytes = Buffer.from(value, 'base64');
  const canonical = bytes.toString('base64');
  if (!isWhole(value, canonical, bytes)) {
    report.add('is not whole base64: its end is cut off, or its padding wrong');
    return value;
  }
  if (length !== null && bytes.length !== length) report.add(`must be base64 of exactly ${length} bytes`);
  return canonical;
}

// Decoding ignores a truncated end and stray last bits, so the text must equal the encoding of its bytes.
function isWhole(value: string, canonical: string, bytes: Buffer): boolean {
  if (value === canonical) return true;
  const padding = /={0,2}$/.exec(canonical)?.[0] ?? '';
  const url = bytes.toString('base64url');
  return value === url || value === url + padding || value + padding === canonical;
}
