/**
 * Every key Switchboard writes, apart from BullMQ's own.
 *
 *   sb:{directory}:…            organizations, workspaces, accounts, API keys and their lists: one cluster slot
 *   sb:{directory}:version      a random value that changes with every write to those
 *   sb:{directory}:control-version, :pauses, :settings, :audit…  what operators change at run time, and who has changed what
 *   sb:heads                    hash: `txid` -> the last one given; workspace id -> its tail, the offset of its newest update;
 *                               `<id>:used` -> the bytes it keeps; `<id>:max` -> the bytes it may keep, if not the setting's. In a
 *                               cluster every workspace has its own, sb:{ws_…}:heads
 *   sb:{ws_…}:bytes             hash: ms since the epoch -> bytes that expire by then; `calls` -> bytes of async calls; `lapsedAt`,
 *                               when expired bytes were last subtracted; the lease and times of the measurement
 *   sb:{ws_…}:floor             offset below which updates were trimmed
 *   sb:{ws_…}:updates           the update stream; entry ids are `<txid>-<index>`
 *   sb:{ws_…}:wake              sharded channel: an update was appended
 *   sb:ledger:<batch>           hash: call id -> recorded reply, or `void`; in a cluster sb:{ws_…}:ledger:<batch>
 *   sb:{ws_…}:ledger:<name>     the ledger of one call that outlives its batch: `reply` -> recorded reply
 *   sb:{ws_…}:webhook:<id>:…    the deliveries of a webhook and their log
 *   sb:{ws_…}:couriers:<part>   leases of the deliveries to all webhooks of the workspace, and the lines that wait for one
 *   sb:{ws_…}:slots[:acc_…]     sorted set: calls that hold a slot of the workspace or the account
 *   sb:{ws_…}:line[:acc_…]      hash: API processes that wait for such a slot
 *   sb:{ws_…}:slot-wake         sharded channel: whose turn it is to take a slot
 *   sb:{ws_…}:state:<name>      the state of the workspace's accounts, kept by the driver
 *   sb:{ws_…}:keys              sorted set: name of a state key -> when it was last noted (s)
 *   sb:call:<id>                string: the workspace of an async call
 *   sb:replies:<boot>           reply stream of one API process
 *   sb:epoch                    random value, written once: if it changes or is gone, all data are gone (in a cluster sb:epoch:0…)
 *   sb:alive:<boot>             exists while that API process runs
 *   sb:backlogs                 hash: API process -> the workspaces it holds calls of (sb:backlogs-2… for further shards)
 *   sb:rate:<key_…>             time at which the token bucket of an API key's rate limit is full
 *   sb:fleet                    hash: API process or worker -> when it last published its figures, and these
 *   sb:drain:<worker>           exists for a while after that worker was asked to end
 *   sb:fleet-wanted             sorted set: number of workers -> when that many were wanted last (ms)
 *   sb:stop                     sharded channel: the id of a call that has to stop
 */
const PREFIX = 'sb';

/** BullMQ's key prefix; the hash tag keeps all queues of a shard in one cluster slot. Shards are numbered from 0. */
export function queuePrefix(shard: number): string {
  return `${PREFIX}:{queue${shardName(shard)}}`;
}

export function directoryKey(name: string): string {
  return `${PREFIX}:{directory}:${name}`;
}

/** The last txid and the tails of a scope's workspaces; `scope` as `commandScope` gives it. */
export function headsKey(scope: string): string {
  return scope === '' ? `${PREFIX}:heads` : `${PREFIX}:{${scope}}:heads`;
}

/** Details of the bytes that a workspace keeps; their sum is in the heads. */
export function bytesKey(workspaceId: string): string {
  return `${PREFIX}:{${workspaceId}}:bytes`;
}

/** The fields of the heads with the bytes that a workspace keeps and may keep. */
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

/** The index of a workspace's state keys. */
export function keyIndexKey(workspaceId: string): string {
  return `${PREFIX}:{${workspaceId}}:keys`;
}

export function webhookKey(workspaceId: string, webhookId: string, part: string): string {
  return `${PREFIX}:{${workspaceId}}:webhook:${webhookId}:${part}`;
}

/** The leases that bound the deliveries of all webhooks of a workspace, and the lines that wait for one. */
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

export function repliesKey(processName: string): string {
  return `${PREFIX}:replies:${processName}`;
}

export function aliveKey(processName: string): string {
  return `${PREFIX}:alive:${processName}`;
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

// A key cannot be assigned to a server of a cluster. Sixteen keys spread over the slots make it nearly certain that each server has one.
const CLUSTER_EPOCHS = Array.from({ length: 16 }, (_, i) => `${PREFIX}:epoch:${i}`);

/** The keys that show whether a server has lost its data. */
export function epochKeys(isCluster: boolean): string[] {
  return isCluster ? CLUSTER_EPOCHS : [`${PREFIX}:epoch`];
}

/** The sharded channel on which workers receive the ids of calls that have to stop. */
export const STOP_CHANNEL = `${PREFIX}:stop`;

/** The figures of every process. */
export const FLEET_KEY = `${PREFIX}:fleet`;

/** How many workers were wanted lately. */
export const WANTED_WORKERS_KEY = `${PREFIX}:fleet-wanted`;

export function drainKey(worker: string): string {
  return `${PREFIX}:drain:${worker}`;
}

/** Says that a request adds to the audit list that a worker is to drain. */
export function drainNoteKey(worker: string): string {
  return `${PREFIX}:drain-note:${worker}`;
}

/** The pattern that every key of a workspace matches. */
export function workspaceKeys(workspaceId: string): string {
  return `${PREFIX}:{${workspaceId}}:*`;
}

/** The first shard has no suffix: its keys are those of a gateway with one shard. */
function shardName(shard: number): string {
  return shard === 0 ? '' : `-${shard + 1}`;
}
