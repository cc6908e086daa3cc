import { Queue } from 'groupmq';
import { Redis } from 'ioredis';
import type { WireCall } from '../../../src/queue/wire.ts';
import type { RedisConnection } from '../../../src/redis/connections.ts';

/** What a job of the groupmq design carries: one call, and the channel on which its reply is awaited. */
export interface GroupmqJob {
  call: WireCall;
  replyTo: string;
}

// A group runs one job at a time. With one group for each workspace 512 callers of one would wait for each other all along.
const GROUPS_PER_WORKSPACE = 16;

/** Opens the queue on a connection. */
export function openGroupmqQueue(redis: RedisConnection): Queue<GroupmqJob> {
  if (!(redis instanceof Redis)) throw new TypeError('groupmq knows no cluster');
  return new Queue<GroupmqJob>({ redis, namespace: 'calls' });
}

/** The group of a workspace's n-th call. */
export function groupOf(workspaceId: string, turn: number): string {
  return `${workspaceId}:${turn % GROUPS_PER_WORKSPACE}`;
}
