import type { Holding, Holdings } from '../../../src/queue/submit/window/divide-window.ts';

/** What a process holds for workspaces of one organization. */
export function holds(...held: [workspaceId: string, weight: number, demand: number][]): Holdings {
  return holdsOf('one', ...held);
}

/** What a process holds for workspaces of an organization. */
export function holdsOf(
  organizationId: string,
  ...held: [workspaceId: string, weight: number, demand: number][]
): Holdings {
  return {
    held: held.map(
      ([workspaceId, weight, demand]): Holding => ({ workspaceId, organizationId, weight, demand }),
    ),
    restWeight: 0,
  };
}
