import { z } from 'zod';
import { Problem } from '../../problem.ts';
import { isOffset } from '../../updates/offset.ts';
import type { ReadFrom } from '../../updates/read-updates.ts';
import { filterUpdates, type UpdateFilter } from '../../updates/update-filter.ts';

const MAX_NAMES = 100;

const once = z.string('Give it once');
const names = z
  .union([once, z.array(z.string())])
  .transform((given) => [given].flat().flatMap((text) => text.split(',')))
  .refine((given) => given.length <= MAX_NAMES, `At most ${MAX_NAMES}`)
  .refine((given) => given.every((name) => name !== '' && name.length <= 100), 'An empty or overlong name')
  .optional();

/** The query of the update stream. Unknown parameters are ignored: clients of the stream protocol may send some. */
export const updatesQuery = z.object({
  offset: once.optional().meta({
    description:
      '`-1` for the beginning, `now` for the end, or an offset: what is read lies behind it. Needed with `live`',
  }),
  live: z.enum(['long-poll', 'sse'], 'Either long-poll or sse').optional(),
  cursor: once.optional().meta({ description: '`Stream-Cursor` of the answer before' }),
  messengerAccountId: names.meta({
    type: 'array',
    items: { type: 'string' },
    description: 'Only updates of these accounts; repeatable, or separated by commas',
  }),
  kind: names.meta({
    type: 'array',
    items: { type: 'string' },
    description: 'Only updates of these kinds; repeatable, or separated by commas',
  }),
});

export type UpdatesQuery = z.output<typeof updatesQuery>;

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
    detail: 'The offset is not one that Switchboard gave.',
  });
}

/** The filter of a query. */
export function filterOf({ messengerAccountId, kind }: UpdatesQuery): UpdateFilter {
  return filterUpdates(messengerAccountId, kind);
}
