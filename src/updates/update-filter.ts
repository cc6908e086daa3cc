import type { UpdateEntry } from './update-entry.ts';

/** Whether a reader wants an update. */
export type UpdateFilter = (entry: Pick<UpdateEntry, 'kind' | 'messengerAccountId'>) => boolean;

/** The filter that lets everything pass. Always the same function, so that readers without a filter share encoded batches. */
export const showAll: UpdateFilter = () => true;

/** The filter that lets updates of these accounts and kinds pass. Null and undefined let all accounts, or all kinds, pass. */
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
