import { z } from 'zod';
import type { PageRequest } from '../../directory/lists.ts';
import { Problem } from '../../problem.ts';

const WHOLE_NUMBER = /^[1-9]\d{0,3}(\.0+)?$/;
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** A parameter with the size of a page. */
export function pageSize(most: number, usual: number) {
  return (
    z
      .string('Give it once')
      .refine(
        (text) => WHOLE_NUMBER.test(text) && Number(text) <= most,
        `Must be a whole number from 1 to ${most} in digits, such as ${usual}.`,
      )
      .transform(Number)
      .optional()
      // A default would be left out of the document, since the text is made a number.
      .meta({
        type: 'integer',
        minimum: 1,
        maximum: most,
        description: `Items per page, ${usual} by default`,
      })
  );
}

const cursor = z.string('Give it once').min(1, 'A cursor is needed').max(500);

const pageQuery = {
  limit: pageSize(MAX_LIMIT, DEFAULT_LIMIT),
  startingAfter: cursor.optional().describe('`cursors.next` of a page, for the page after it'),
  endingBefore: cursor.optional().describe('`cursors.previous` of a page, for the page before it'),
};

/** The query of a list with an optional filter, the id of what its items belong to. */
export function listQuery(filter: string | null) {
  if (filter === null) return z.strictObject(pageQuery);
  const id = z.string('Give it once').min(1, 'An id is needed').max(100);
  return z.strictObject({
    ...pageQuery,
    [filter]: id
      .optional()
      .describe(filter === 'createdBy' ? 'Only what this API key has made' : 'Only what belongs to it'),
  });
}

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
