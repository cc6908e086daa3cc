/**
 * Every key Switchboard writes, apart from BullMQ's own.
 *
 *   sb:{directory}:…            organizations, workspaces, accounts, API keys and their lists: one cluster slot
 *   sb:{directory}:version      another value after every write to those
 *   sb:heads                    hash: `txid`, the last one given; workspace id -> its tail, the offset of its newest update. In a
 *                               cluster every workspace has its own, sb:{ws_…}:heads. `<id>:used`, `<id>:max` -> the bytes it keeps,
 *                               and may keep where that is not the setting
 *   sb:{ws_…}:bytes             hash: ms since the epoch -> bytes that lapse by then, `calls` -> bytes of async calls, and when,
 *                               for how long and by whom they are measured
 *   sb:{ws_…}:floor             offset below which updates were trimmed
 *   sb:{ws_…}:updates           the update stream; entry ids are `<txid>-<index>`
 *   sb:{ws_…}:wake              sharded channel: an update was appended
 *   sb:ledger:<batch>           hash: call id -> recorded reply, or `void`; in a cluster sb:{ws_…}:ledger:<batch>
 *   sb:{ws_…}:ledger:<name>     the same of one call that outlives its batch: `reply` -> recorded reply
 *   sb:{ws_…}:webhook:<id>:…    what is to be sent to a webhook, and the log of its deliveries
 *   sb:{ws_…}:couriers:<part>   leases of what is being sent to all webhooks of the workspace, and what waits for one
 *   sb:{ws_…}:slots[:acc_…]     sorted set: calls that hold a slot of the workspace or the account
 *   sb:{ws_…}:line[:acc_…]      hash: API processes that wait for such a slot
 *   sb:{ws_…}:slot-wake         sharded channel: whose turn it is to take a slot
 *   sb:{ws_…}:state:<name>      what a driver keeps of the workspace
 *   sb:{ws_…}:keys              sorted set: name of a key that a driver keeps -> when it was last noted (s)
 *   sb:call:<id>                string: the workspace of a kept call
 *   sb:replies:<boot>           reply stream of one API process
 *   sb:epoch                    made once: where it is another, or gone, so is all else (in a cluster sb:epoch:0… for its servers)
 *   sb:alive:<boot>             there while that process runs
 *   sb:backlogs                 hash: API process -> the workspaces it holds calls of (sb:backlogs-2… for further shards)
 *   sb:rate:<key_…>             when the bucket of an API key's rate limit is full again
 *   sb:stop                     sharded channel: the id of a call that is to stop
 */
const PREFIX = 'sb';

/** BullMQ's key prefix; the hash tag keeps all queues of a shard in one cluster slot. Shards are numbered from 0. */
export function queuePrefix(shard: number): string {
  return `${PREFIX}:{queue${shardName(shard)}}`;
}

export function directoryKey(name: string): string {
  return `${PREFIX}:{directory}:${name}`;
}

/** How far the workspaces of a scope are, as `commandScope` gives it. */
export function headsKey(scope: string): string {
  return scope === '' ? `${PREFIX}:heads` : `${PREFIX}:{${scope}}:heads`;
}

/** What is known of the bytes that a workspace keeps, beside how many they are. */
export function bytesKey(workspaceId: string): string {
  return `${PREFIX}:{${workspaceId}}:bytes`;
}

/** The fields of the heads that say how many bytes a workspace keeps, and how many it may. */
export function byteFields(workspaceId: string): { used: string; max: string } {
  return { used: `${workspaceId}:used`, max: `${workspaceId}:max` };
}

export function floorKey(workspaceId: string): string {
  return `${PREFIX}:{${workspaceId}}:floor`;
}

export function updatesKey(workspaceId: string): string {
  return `${PREFIX}:{${workspaceId}}:updates`;
}

export function wakeChannel(workspaceId: string): string {
  return `${PREFIX}:{${workspaceId}}:wake`;
}

/** The ledger of one call. */
export function ledgerKey(workspaceId: string, name: string): string {
  return `${PREFIX}:{${workspaceId}}:ledger:${name}`;
}

/** The ledger that the calls of a batch share; `scope` as `commandScope` gives it. */
export function batchLedgerKey(scope: string, batchId: string): string {
  return scope === '' ? `${PREFIX}:ledger:${batchId}` : ledgerKey(scope, batchId);
}

export function stateKey(workspaceId: string, name: string): string {
  return `${PREFIX}:{${workspaceId}}:state:${name}`;
}

/** Names the state keys of a workspace. */
export function keyIndexKey(workspaceId: string): string {
  return `${PREFIX}:{${workspaceId}}:keys`;
}

export function webhookKey(workspaceId: string, webhookId: string, part: string): string {
  return `${PREFIX}:{${workspaceId}}:webhook:${webhookId}:${part}`;
}

/** The leases that bound the deliveries of all webhooks of a workspace, and those that wait for one. */
export function workspaceLeasesKey(workspaceId: string, part: string): string {
  return `${PREFIX}:{${workspaceId}}:couriers:${part}`;
}

/** The slots of a workspace, or of one of its accounts. */
export function slotsKey(workspaceId: string, accountId?: string): string {
  return `${PREFIX}:{${workspaceId}}:slots${accountId === undefined ? '' : `:${accountId}`}`;
}

/** The line for the slots of a workspace, or of one of its accounts. */
export function slotLineKey(workspaceId: string, accountId?: string): string {
  return `${PREFIX}:{${workspaceId}}:line${accountId === undefined ? '' : `:${accountId}`}`;
}

export function slotWakeChannel(workspaceId: string): string {
  return `${PREFIX}:{${workspaceId}}:slot-wake`;
}

export function repliesKey(bootId: string): string {
  return `${PREFIX}:replies:${bootId}`;
}

export function aliveKey(bootId: string): string {
  return `${PREFIX}:alive:${bootId}`;
}

export function backlogsKey(shard: number): string {
  return `${PREFIX}:backlogs${shardName(shard)}`;
}

export function rateKey(keyId: string): string {
  return `${PREFIX}:rate:${keyId}`;
}

export function callPlaceKey(callId: string): string {
  return `${PREFIX}:call:${callId}`;
}

// A cluster's servers have no keys of their own: these are spread over the slots, so that each is all but sure to hold one.
const CLUSTER_EPOCHS = Array.from({ length: 16 }, (_, i) => `${PREFIX}:epoch:${i}`);

/** The keys that tell whether the data of each server are still those of before. */
export function epochKeys(isCluster: boolean): string[] {
  return isCluster ? CLUSTER_EPOCHS : [`${PREFIX}:epoch`];
}

/** The sharded channel on which workers hear of calls that are to stop: their ids. */
export const STOP_CHANNEL = `${PREFIX}:stop`;

/** The pattern that every key of a workspace matches. */
export function workspaceKeys(workspaceId: string): string {
  return `${PREFIX}:{${workspaceId}}:*`;
}

/** The first goes by no name: it is what a gateway with one shard has. */
function shardName(shard: number): string {
  return shard === 0 ? '' : `-${shard + 1}`;
}
