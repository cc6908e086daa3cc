import { z } from 'zod';

/** What a unit after a number multiplies it by. */
type Units = Readonly<Record<string, number>>;

const TIMES: Units = { '': 1, ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const SIZES: Units = { '': 1, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3, tib: 1024 ** 4 };

/** A setting that is a whole number. */
export function count(min: number, max: number) {
  return amount({ '': 1 }, min, max, `write a whole number from ${min} to ${max}`);
}

/** A setting that is a whole number, or `auto`. */
export function countOrAuto(min: number, max: number) {
  const number = count(min, max);
  return z
    .string()
    .refine(
      (text) => text === 'auto' || number.safeParse(text).success,
      `write a whole number from ${min} to ${max}, or auto`,
    )
    .transform((text) => (text === 'auto' ? text : number.parse(text)));
}

/** A setting in milliseconds, which may be written with a unit. */
export function time(min: number, max: number) {
  return amount(
    TIMES,
    min,
    max,
    `write milliseconds from ${min} to ${max}, or a time such as 500ms, 30s, 5m, 2h or 7d`,
  );
}

/** A setting in bytes, which may be written with a unit. */
export function size(min: number, max: number) {
  return amount(
    SIZES,
    min,
    max,
    `write bytes from ${min} to ${max}, or a size such as 64KiB, 128MiB or 1GiB`,
  );
}

function amount(units: Units, min: number, max: number, wanted: string) {
  const read = (text: string): number => {
    const [, digits = '', unit = ''] = /^(\d{1,16}) ?([a-z]{0,3})$/i.exec(text.trim()) ?? [];
    const factor =
      digits !== '' && Object.hasOwn(units, unit.toLowerCase()) ? units[unit.toLowerCase()] : undefined;
    return factor === undefined ? Number.NaN : Number(digits) * factor;
  };
  return z
    .string()
    .refine((text) => read(text) >= min && read(text) <= max, wanted)
    .transform(read);
}
