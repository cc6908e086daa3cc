import type { RedisConnection } from '../redis/connections.ts';
import { DEFAULT_WEIGHT } from './collections.ts';
import { type Freshness, LookupCache } from './lookup-cache.ts';
import { findRecord } from './records.ts';

/** What decides a workspace's share of a lane's permits. */
export interface WorkspaceTenant {
  organizationId: string;
  workspaceId: string;
  weight: number;
}

const REMEMBERED_WORKSPACES = 50_000;

/** The organizations and weights of workspaces, cached while they are fresh. */
export class Tenants {
  private readonly known: LookupCache<WorkspaceTenant>;

  constructor(redis: RedisConnection, freshness: Freshness) {
    const load = async (workspaceId: string) => {
      const workspace = await findRecord(redis, 'workspaces', workspaceId);
      if (workspace === null) return null;
      const { organizationId, weight } = workspace;
      return { organizationId, workspaceId, weight };
    };
    this.known = new LookupCache(load, REMEMBERED_WORKSPACES, freshness);
  }

  /** Never throws: a workspace that is gone or cannot be read counts as alone in its organization. */
  async find(workspaceId: string): Promise<WorkspaceTenant> {
    const found = await this.known.find(workspaceId).catch(() => null);
    return found ?? { organizationId: workspaceId, workspaceId, weight: DEFAULT_WEIGHT };
  }
}
