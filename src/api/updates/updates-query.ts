import * as z from 'zod';
import type { Accounts } from '../../directory/accounts.ts';
import { type FieldError, Problem } from '../../problem.ts';
import { suggestName } from '../../tl/suggest-name.ts';
import { isUpdateKind, refusalOfKind } from '../../tl/update-kinds.ts';
import { isOffset } from '../../updates/offset.ts';
import { PAGE_LIMITS, type ReadFrom } from '../../updates/read-updates.ts';
import { filterUpdates, type UpdateFilter } from '../../updates/update-filter.ts';
import { escapePointer } from '../calls/call-body.ts';
import { pageSize } from '../lists/list-query.ts';

const MAX_NAMES = 100;
const NAME_MAX = 100;

const once = z.string('Give it once');
const names = z
  .union([once, z.array(z.string())])
  .transform((given) => [given].flat().flatMap((text) => text.split(',')))
  .refine((given) => given.length <= MAX_NAMES, { error: `At most ${MAX_NAMES} names`, abort: true })
  .refine((given) => given.every((name) => name !== '' && name.length <= NAME_MAX), {
    error: `Has an empty name, as a comma too many makes one, or one of more than ${NAME_MAX} characters`,
    // That there is no kind of this name would say less.
    abort: true,
  })
  .optional();
const kinds = names.refine((given) => given?.every(isUpdateKind) ?? true, {
  error: ({ input }) => refusalOfKind((input as string[]).find((kind) => !isUpdateKind(kind)) ?? ''),
});

/** The query of the update stream. Unknown parameters are ignored: clients of the stream protocol may send some. */
export const updatesQuery = z.looseObject({
  offset: once.optional().meta({
    description:
      '`-1` for the beginning, `now` for the end, or an offset: what is read lies behind it. Needed with `live`',
  }),
  live: z
    .enum(['long-poll', 'sse'], 'Either long-poll or sse is needed, once')
    .optional()
    .describe('Wait for updates: for the next ones, or for all as server-sent events'),
  limit: pageSize(PAGE_LIMITS.entries, PAGE_LIMITS.entries),
  cursor: once.optional().meta({ description: '`Stream-Cursor` of the answer before' }),
  messengerAccountId: names.meta({
    type: 'array',
    items: { type: 'string' },
    description: 'Only updates of these accounts; repeatable, or separated by commas',
  }),
  kind: kinds.meta({
    type: 'array',
    items: { type: 'string' },
    description: 'Only updates of these kinds; repeatable, or separated by commas',
  }),
});

export type UpdatesQuery = z.output<typeof updatesQuery>;

const NAMES = Object.keys(updatesQuery.shape);
const SCANNED_MAX = 20;
const ACCOUNTS_CHECKED_MAX = 10;

/** The offset a reader starts from; `resume` takes precedence. A live read must have one. */
export function startOf({ offset, live }: UpdatesQuery, resume: string | undefined): ReadFrom {
  const text = resume ?? offset;
  if (text === undefined) {
    if (live === undefined) return 'beginning';
    throw new Problem('invalid_offset', {
      detail: 'A live read needs an offset; -1 is the beginning, now the end.',
    });
  }
  if (text === '-1') return 'beginning';
  if (text === 'now') return 'end';
  if (isOffset(text)) return { offset: text };
  throw new Problem('invalid_offset', {
    detail:
      'The offset is not one that Switchboard gave: send `Stream-Next-Offset` of an answer, -1 for the beginning or now for the end.',
  });
}

/**
 * Throws `invalid_query` for a parameter that is misspelt, for accounts that the workspace does not have (of the first ten; none where
 * `accounts` is null), and for a page size of a stream of events, which has no pages.
 */
export async function checkUpdatesQuery(
  accounts: Pick<Accounts, 'find'> | null,
  workspaceId: string,
  query: UpdatesQuery,
  isStream: boolean,
): Promise<void> {
  const errors = misspelt(query);
  if (isStream && query.limit !== undefined)
    errors.push({ pointer: '/limit', detail: 'A stream of events has no pages: leave it out.' });
  const named = accounts === null ? [] : (query.messengerAccountId ?? []).slice(0, ACCOUNTS_CHECKED_MAX);
  for (const [index, id] of named.entries()) {
    if ((await accounts?.find(workspaceId, id)) !== null) continue;
    const detail = 'The workspace has no messenger account with that id.';
    errors.push({ pointer: `/messengerAccountId/${index}`, detail });
    break;
  }
  if (errors.length > 0) throw new Problem('invalid_query', { errors });
}

function misspelt(query: UpdatesQuery): FieldError[] {
  const unknown = Object.keys(query).filter((name) => !NAMES.includes(name));
  return unknown.slice(0, SCANNED_MAX).flatMap((name) => {
    const meant = name === 'accountId' ? 'messengerAccountId' : suggestName(name, NAMES);
    return meant === null
      ? []
      : [{ pointer: `/${escapePointer(name)}`, detail: `Is unknown here: did you mean \`${meant}\`?` }];
  });
}

/** The filter of a query. */
export function filterOf({ messengerAccountId, kind }: UpdatesQuery): UpdateFilter {
  return filterUpdates(messengerAccountId, kind);
}
