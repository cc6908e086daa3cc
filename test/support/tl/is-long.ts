/** Whether a text is the canonical decimal form of a signed 64-bit integer. */
export function isLong(text: string): boolean {
  return /^-?\d+$/.test(text) && String(BigInt.asIntN(64, BigInt(text))) === text;
}
