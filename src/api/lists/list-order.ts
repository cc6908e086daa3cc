import type { Position } from '../../directory/cursor.ts';
import { beforeTime, type ListedBy } from '../../directory/list-entries.ts';
import type { NamedOrder } from '../../directory/lists.ts';
import { type ID_PREFIXES, idsSince } from '../../ids.ts';
import { Problem } from '../../problem.ts';

/** The validated parameters that order a list and limit it to a range of times, in ms since the epoch. */
export interface OrderQuery {
  sort?: string | undefined;
  createdAfter?: number | undefined;
  createdBefore?: number | undefined;
}

/** A range of times from parameters: at or after `after`, and before `before`, in ms since the epoch. */
interface TimeRange {
  /** The member of an item that holds this time. */
  member: string;
  after: number | undefined;
  before: number | undefined;
}

/** A range of the times when items ended. */
interface EndedRange extends TimeRange {
  /** The wanted status, if its items have not ended. */
  openStatus: string | undefined;
}

/**
 * The order of a list whose items have ids of this kind, and `by` which entries it is read. Throws `conflicting_parameters` if the list is
 * limited by one time and ordered by another, or by end times while the wanted status is that of items that have not ended.
 */
export function orderOf(
  kind: keyof typeof ID_PREFIXES,
  { sort, createdAfter: after, createdBefore: before }: OrderQuery,
  ended: EndedRange | null = null,
): NamedOrder & { by: ListedBy } {
  const created: TimeRange = { member: 'createdAt', after, before };
  const isByEnd = ended !== null && (sort === undefined ? isGiven(ended) : sort.endsWith(ended.member));
  const [range, other] = isByEnd ? [ended, created] : [created, ended];
  if (isGiven(other)) {
    const detail = `The list is ordered by ${range.member}: limit it by that time, or choose another sort.`;
    throw new Problem('conflicting_parameters', { detail });
  }
  if (range === ended && ended.openStatus !== undefined) {
    const detail = `What is ${ended.openStatus} has no ${ended.member}: order and limit it by createdAt.`;
    throw new Problem('conflicting_parameters', { detail });
  }
  const by = range === ended ? 'time' : 'id';
  const positionOf = (ms: number | undefined): Position | null => {
    if (ms === undefined) return null;
    return by === 'time' ? beforeTime(ms) : { side: 'before', id: idsSince(kind, ms) };
  };
  const isDescending = sort?.startsWith('-') ?? false;
  // A cursor is valid for one order name, so that a page does not go on in another order or range.
  const suffix = isGiven(range) ? `\0${range.after ?? ''}\0${range.before ?? ''}` : '';
  return {
    by,
    isDescending,
    span: { from: positionOf(range.after), to: positionOf(range.before) },
    orderName: `${isDescending ? '-' : ''}${by}${suffix}`,
  };
}

function isGiven(range: TimeRange | null): boolean {
  return range?.after !== undefined || range?.before !== undefined;
}
