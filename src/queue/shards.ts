/** The shard whose queues carry a workspace's calls, of `count` shards; numbered from 0. */
export function shardOf(workspaceId: string, count: number): number {
  if (count === 1) return 0;
  // FNV-1a; the ids of workspaces made in one millisecond differ at their ends only.
  let hash = 0x811c9dc5;
  for (let at = 0; at < workspaceId.length; at += 1) {
    hash = Math.imul(hash ^ workspaceId.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0) % count;
}
