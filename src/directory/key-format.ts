import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = /^sb_[0-9A-Za-z]{49}$/;
const RANDOM_DIGITS = 43;
const CHECKSUM_DIGITS = 6;

/** A new API key: `sb_`, 43 random base62 digits and the six digits of their checksum. */
export function generateApiKey(): string {
  const random = randomDigits(RANDOM_DIGITS);
  return `sb_${random}${checksum(random)}`;
}

/** Whether a text has the form of an API key, with the right checksum. Any other text was never issued. */
export function isWellFormedKey(text: string): boolean {
  return FORM.test(text) && checksum(text.slice(3, -CHECKSUM_DIGITS)) === text.slice(-CHECKSUM_DIGITS);
}

/** The SHA-256 of a secret, in hex. Only this is kept and compared. */
export function hashSecret(text: string): string {
  return hash('sha256', text);
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < CHECKSUM_DIGITS; place++) {
    digits = DIGITS.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

function randomDigits(count: number): string {
  let digits = '';
  while (digits.length < count) {
    for (const byte of randomBytes(64)) {
      // 248 is the largest multiple of 62 in a byte; larger bytes would make the first digits more likely.
      if (byte < 248 && digits.length < count) digits += DIGITS.charAt(byte % 62);
    }
  }
  return digits;
}
