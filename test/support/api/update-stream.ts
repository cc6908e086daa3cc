import { afterAll, beforeAll, beforeEach } from 'vitest';
import { TestApi } from './api.ts';
import { appendUpdates } from './append-update.ts';

export let api: TestApi;
/** The workspace of the test, which has no updates at first, and the path of its stream. */
export let workspaceId: string;
export let path: string;

/** Opens an API of their own for the tests of a file, and a new workspace for each. */
export function useUpdateStream(): void {
  beforeAll(async () => {
    api = await TestApi.start();
  });
  beforeEach(enterWorkspace);
  afterAll(() => api.stop());
}

/** Makes another workspace that of the test. */
export async function enterWorkspace(): Promise<void> {
  workspaceId = (await api.aTenant()).workspaceId;
  path = `/v1/workspaces/${workspaceId}/updates`;
}

/** Appends an update for each value, all with one txid, and gives that. */
export function append(...values: unknown[]): Promise<number> {
  return appendUpdates(
    api.redis,
    workspaceId,
    values.map((value) => ({ value })),
  );
}
