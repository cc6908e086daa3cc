import * as z from 'zod';
import type { PageRequest } from '../../directory/page.ts';
import { Problem } from '../../problem.ts';

// Some clients send whole numbers as 20.0. Not with any number of zeros: the links of a page repeat what was sent.
const WHOLE_NUMBER = /^[1-9]\d{0,3}(\.0{1,9})?$/;
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** The parameter for the size of a page: 1 to `max`, by default `usual`. */
export function pageSize(max: number, usual: number) {
  return (
    z
      .string('Give it once')
      .refine(
        (text) => WHOLE_NUMBER.test(text) && Number(text) <= max,
        `Must be a whole number from 1 to ${max} in digits, such as ${usual}.`,
      )
      .transform(Number)
      .optional()
      // The default, for the OpenAPI document alone: zod omits a `default` if a text is converted to a number.
      .meta({
        type: 'integer',
        minimum: 1,
        maximum: max,
        _prefault: usual,
        description: 'Items per page',
      })
  );
}

const cursor = z.string('Give it once').min(1, 'A cursor is needed').max(500);

const pageQuery = {
  limit: pageSize(MAX_LIMIT, DEFAULT_LIMIT),
  startingAfter: cursor.optional().describe('`cursors.next` of a page, for the page after it'),
  endingBefore: cursor.optional().describe('`cursors.previous` of a page, for the page before it'),
};

// Room for nine digits of a second. The links of a page repeat the time three times.
const TIME_MAX = 40;

const time = z
  .string('Give it once')
  .refine(
    (text) => text.length <= TIME_MAX && z.iso.datetime({ offset: true }).safeParse(text).success,
    'An ISO 8601 time is needed, such as 2030-01-31T12:00:00Z; a `+` in it is sent as %2B.',
  )
  .transform((text) => Date.parse(text))
  .optional();

/** The two parameters for a range of times. */
export function rangeOf(member: string) {
  const describe = (range: string) =>
    time.meta({
      type: 'string',
      format: 'date-time',
      maxLength: TIME_MAX,
      description: `Only items whose \`${member}\` is ${range}`,
    });
  return { after: describe('at that time or later'), before: describe('before that time') };
}

/** The order of a list; `ended` are times that items have only once they have ended. */
export function sortOf<Ended extends string = never>(...ended: Ended[]) {
  const sorts = ['createdAt', ...ended].flatMap((member) => [member, `-${member}`]);
  const endedNotes = ended.map(
    (member) =>
      `. Sorting by \`${member}\` lists only items that have it; it is the default when a range of it is given`,
  );
  return z
    .enum(
      sorts as ('createdAt' | '-createdAt' | Ended | `-${Ended}`)[],
      `One of ${sorts.join(', ')} is needed, once`,
    )
    .optional()
    .describe(`The order: the oldest first, or the newest first with \`-\`${endedNotes.join('')}`);
}

const created = rangeOf('createdAt');

/** The query of a page, in the one order that its list has. */
export const pageOnlyQuery = z.strictObject(pageQuery);

/** The query of a list that is ordered by when its items were made. */
export const listQuery = pageOnlyQuery.extend({
  sort: sortOf(),
  createdAfter: created.after,
  createdBefore: created.before,
});

/** A filter by an id. */
export const idFilter = z.string('Give it once').min(1, 'An id is needed').max(100).optional();

/** The page that a validated query asks for. Throws `conflicting_parameters` for both cursors. */
export function pageRequest(
  query: { [Name in keyof PageRequest]?: PageRequest[Name] | undefined },
): PageRequest {
  const { startingAfter, endingBefore } = query;
  if (startingAfter !== undefined && endingBefore !== undefined) {
    throw new Problem('conflicting_parameters', {
      detail: 'Give startingAfter or endingBefore, not both.',
    });
  }
  return { limit: query.limit ?? DEFAULT_LIMIT, startingAfter, endingBefore };
}
