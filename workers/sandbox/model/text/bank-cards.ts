// The lengths of the numbers of a network; those of others have 13 to 19 digits. Source: TDLib's `MessageEntity.cpp`.
const NETWORKS: readonly [beginning: RegExp, ...lengths: number[]][] = [
  // Visa, Mastercard, American Express, UnionPay and Mir.
  [/^4/, 13, 16, 18, 19],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, 16],
  [/^3[47]/, 15],
  [/^(?:62|81)/, 16, 17, 18, 19],
  [/^220[0-4]/, 16],
];

const DIGITS_MIN = 13;
const DIGITS_MAX = 19;

/** Whether Telegram takes a text of digits, with spaces and hyphens between them, for the number of a bank card. */
export function isBankCard(text: string): boolean {
  const digits = text.replace(/[ -]/g, '');
  const { length } = digits;
  if (length < DIGITS_MIN || length > DIGITS_MAX || text.length >= 2 * length) return false;
  if (!isChecked(digits)) return false;
  const network = NETWORKS.find(([beginning]) => beginning.test(digits));
  return network === undefined || network.includes(length);
}

// The algorithm of Luhn: from the right, every second digit counts twice.
function isChecked(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    const counted = i % 2 === 0 ? digit : 2 * digit;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0;
}
