import type * as z from 'zod';

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

const KINDS: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

const FORMATS: Record<string, string> = {
  datetime: 'Must be an ISO 8601 time with an offset or Z, such as 2030-01-31T12:00:00Z.',
  url: 'Must be an address such as https://gateway.example.',
};

/** Describes what is wrong with a value, in words for its sender: the default for schemas without a message of their own. */
export function plainMessage(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type': {
      const wanted = KINDS[issue.expected] ?? issue.expected;
      return issue.input === undefined ? `Is missing: ${wanted} is needed.` : `Must be ${wanted}.`;
    }
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'Must not be empty.'
        : `Must ${measure(issue.origin, 'at least', issue.minimum)}.`;
    case 'too_big':
      return `Must ${measure(issue.origin, 'at most', issue.maximum)}.`;
    case 'invalid_value':
      return `Must be ${list(issue.values.map((value) => JSON.stringify(value)))}.`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'Is not written as it has to be.';
    case 'unrecognized_keys':
      return `Is unknown here: ${namesOf(issue.inst)}.`;
    default:
      return 'Is not valid.';
  }
}

function measure(origin: string, bound: string, size: number | bigint): string {
  if (origin === 'string') return `have ${bound} ${size} characters`;
  if (origin === 'array') return `have ${bound} ${size} item${Number(size) === 1 ? '' : 's'}`;
  return `be ${bound} ${size}`;
}

function namesOf(schema: RawIssue['inst']): string {
  const names = Object.keys((schema as { shape?: object } | undefined)?.shape ?? {});
  return names.length === 0 ? 'leave it out' : `known are ${names.map((name) => `\`${name}\``).join(', ')}`;
}

function list(values: readonly string[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`;
}
