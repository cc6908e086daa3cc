import type { UpdateEntry } from './update-entry.ts';

/** Whether someone wants an update. */
export type UpdateFilter = (entry: Pick<UpdateEntry, 'kind' | 'messengerAccountId'>) => boolean;

/** The filter of one who wants everything: always the same, so that what is made for one serves all of them. */
export const showAll: UpdateFilter = () => true;

/** The filter that lets pass what is of one of these accounts and of one of these kinds; without any, everything. */
export function filterUpdates(
  messengerAccountIds: readonly string[] | null | undefined,
  kinds: readonly string[] | null | undefined,
): UpdateFilter {
  if (!messengerAccountIds && !kinds) return showAll;
  const wantedAccounts = messengerAccountIds && new Set<string | null>(messengerAccountIds);
  const wantedKinds = kinds && new Set(kinds);
  return (entry) =>
    (wantedAccounts?.has(entry.messengerAccountId) ?? true) && (wantedKinds?.has(entry.kind) ?? true);
}
