/** Which of `count` shards carries a workspace's calls; numbered from 0. */
export function shardOf(workspaceId: string, count: number): number {
  if (count === 1) return 0;
  // FNV-1a: ids of workspaces created in the same millisecond differ only at their ends.
  let hash = 0x811c9dc5;
  for (let at = 0; at < workspaceId.length; at += 1) {
    hash = Math.imul(hash ^ workspaceId.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0) % count;
}
