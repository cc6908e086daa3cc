import * as z from 'zod';

/** What a unit after a number multiplies it by. */
type Units = Readonly<Record<string, number>>;

interface Kind {
  units: Units;
  /** What a number without a unit is. */
  bare: string;
  /** What a number with a unit is, such as the examples. Only those within a setting's bounds are shown. */
  exact: string;
  examples: readonly string[];
}

const NUMBER: Kind = { units: { '': 1 }, bare: 'a whole number', exact: '', examples: [] };
const TIME: Kind = {
  units: { '': 1, ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 },
  bare: 'milliseconds',
  exact: 'a time',
  // Not 500ms: some settings are refused below a second.
  examples: ['1500ms', '30s', '5m', '2h', '7d'],
};
const SIZE: Kind = {
  units: { '': 1, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3, tib: 1024 ** 4 },
  bare: 'bytes',
  exact: 'a size',
  examples: ['64KiB', '128MiB', '1GiB'],
};

/** A setting that is a whole number. */
export function count(min: number, max: number) {
  return amount(NUMBER, min, max);
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
  return amount(TIME, min, max);
}

/** A setting in bytes, which may be written with a unit. */
export function size(min: number, max: number) {
  return amount(SIZE, min, max);
}

function amount({ units, bare, exact, examples }: Kind, min: number, max: number) {
  const accepts = (text: string) => read(units, text) >= min && read(units, text) <= max;
  const wanted = `write ${bare} from ${min} to ${max}`;
  const shown = examples
    .filter(accepts)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ');
  return z
    .string()
    .refine(accepts, shown === '' ? wanted : `${wanted}, or ${exact} such as ${shown}`)
    .transform((text) => read(units, text));
}

function read(units: Units, text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,16}) ?([a-z]{0,3})$/i.exec(text.trim()) ?? [];
  const factor =
    digits !== '' && Object.hasOwn(units, unit.toLowerCase()) ? units[unit.toLowerCase()] : undefined;
  return factor === undefined ? Number.NaN : Number(digits) * factor;
}
