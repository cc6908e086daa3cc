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
 *   sb:epoch                    random value, written once: if it changes or is gone, all data are gone (in a cluster sb:epoch:025v…)
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

/** The leases that bound the deliveries of all webhooks of a workspace, taken or offered, and the webhooks with lines that wait for one. */
export function workspaceLeasesKey(workspaceId: string, part: 'places' | 'webhooks'): string {
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

// A key cannot be assigned to a server of a cluster. The slots of these names are 128, 384, 640 and so on, so that each of up to 64 equal
// servers has one.
const CLUSTER_EPOCHS = `
  025v 0exx 18i5 09i1 0ovv 00vh 0fmo 01di 0ru3 0atu 07or 0hol 06y3 04ze 07k2 05hd
  0oc4 08j2 036u 09x3 0gnl 00gj 0f8e 011c 06lq 0aew 0j90 0q1n 06h1 04kg 07z0 05yf
  00s8 024f 01a9 03bo 003p 0o3n 01ey 0neg 0a1m 068k 05m4 07nb 0ps5 0crs 05it 0jij
  0ehj 02al 0dzk 037e 00fz 0ofd 010s 0f9u 04n7 06ma 0qtv 0b18 04jw 0ccq 05xv 0b5x`
  .trim()
  .split(/\s+/)
  .map((name, index) => ({ key: `${PREFIX}:epoch:${name}`, slot: 128 + 256 * index }));

/** The keys that show whether a server has lost its data, and in a cluster their slots. */
export function epochKeys(isCluster: boolean): { key: string; slot: number }[] {
  return isCluster ? CLUSTER_EPOCHS : [{ key: `${PREFIX}:epoch`, slot: 0 }];
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
