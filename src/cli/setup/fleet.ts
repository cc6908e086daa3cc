import { ApiError } from '../../client/errors.ts';
import { send, type Target } from '../../client/http/send.ts';
import type { WorkerRecord } from '../../client/records.ts';

/** The state of all processes: the parts of `GET /v1/scaling` that commands show. */
export interface Fleet {
  desiredWorkers: number;
  workers: { running: number; draining: number; missing: number; byVersion: Record<string, number> };
  busyShare: number;
  arrivalRate: number;
  serviceRate: number;
  oldestWaitMs: number;
  heaviestWorkspaces: { workspaceId: string; callsPerSecond: number; refusedPerSecond: number }[];
  workerList: Omit<WorkerRecord, 'running' | 'slowRunning' | 'startedAt'>[];
}

const PATIENCE_MS = 10_000;

/** Reads the state of all processes; null if the key lacks the scope `operate`. */
export async function readFleet(target: Target): Promise<Fleet | null> {
  try {
    const request = { method: 'GET', path: '/v1/scaling' } as const;
    return (await send<Fleet>(target, request, AbortSignal.timeout(PATIENCE_MS))).body;
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return null;
    throw error;
  }
}
