import { type Line, newOrganization, type OrganizationLines, openLine, type Queued } from './backlog-line.ts';
import type { Holding, Holdings } from './divide-window.ts';

/** The lines of the workspaces that have calls in this process, or lately had. */
export class Lines<Item extends Queued> {
  private readonly byWorkspace = new Map<string, Line<Item>>();
  private readonly organizations = new Map<string, OrganizationLines>();

  get size(): number {
    return this.byWorkspace.size;
  }

  all(): Line<Item>[] {
    return [...this.byWorkspace.values()];
  }

  find(workspaceId: string): Line<Item> | undefined {
    return this.byWorkspace.get(workspaceId);
  }

  /** Opens a line for the workspace of a call. */
  open({ workspaceId, organizationId }: Item): Line<Item> {
    const organization = this.organizations.get(organizationId) ?? newOrganization(organizationId);
    organization.lines += 1;
    this.organizations.set(organizationId, organization);
    const line = openLine<Item>(workspaceId, organization);
    this.byWorkspace.set(workspaceId, line);
    return line;
  }

  /** Forgets the lines to which no call has come since the last time, and which have none. */
  forgetUnused(): void {
    for (const line of this.byWorkspace.values()) {
      if (!line.touched && line.outstanding === 0 && !line.isActive) this.forget(line);
      line.touched = false;
    }
  }

  /**
   * What this process holds, for dividing the window: at most `max` workspaces, about as many of each organization, and the total weight of
   * the others. `costOf` says how many permits a call of a workspace takes.
   */
  holdings(max: number, costOf: (workspaceId: string) => number): Holdings {
    const held: Holding[] = [];
    const counts = new Map<OrganizationLines, number>();
    const each = Math.max(1, Math.floor(max / this.organizations.size));
    let restWeight = 0;
    for (const { workspaceId, weight, items, outstanding, organization } of this.byWorkspace.values()) {
      const demand = items.size * costOf(workspaceId) + outstanding;
      const count = counts.get(organization) ?? 0;
      if (this.size <= max || (held.length < max && count < each && demand > 1)) {
        held.push({ workspaceId, organizationId: organization.id, weight, demand });
        counts.set(organization, count + 1);
      } else restWeight += weight;
    }
    return { held, restWeight };
  }

  /** Up to `max` workspaces whose weights are stale. */
  unweighed(isFresh: (weighedAt: number) => boolean, max: number): string[] {
    const found: string[] = [];
    for (const { workspaceId, weighedAt } of this.byWorkspace.values()) {
      if (isFresh(weighedAt)) continue;
      found.push(workspaceId);
      if (found.length === max) break;
    }
    return found;
  }

  private forget({ workspaceId, organization }: Line<Item>): void {
    this.byWorkspace.delete(workspaceId);
    organization.lines -= 1;
    if (organization.lines === 0) this.organizations.delete(organization.id);
  }
}
