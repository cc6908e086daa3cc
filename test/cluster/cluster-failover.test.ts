import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { queuePrefix, updatesKey } from '../../src/redis/keys.ts';
import { eventually } from '../support/eventually.ts';
import { findMasterOf, startTestCluster, type TestCluster } from '../support/redis/redis-cluster.ts';
import { type Account, type Answer, Service } from '../support/service/service.ts';

const WORKSPACES = 9;
const BACK_WITHIN_MS = 10_000;

let cluster: TestCluster;
let service: Service;
let pairs: { from: Account; to: Account }[];

beforeAll(async () => {
  cluster = await startTestCluster();
  service = await Service.start({ redis: cluster, workers: 2, env: { CALL_TIMEOUT_MS: '60000' } });
  pairs = [];
  for (let made = 0; made < WORKSPACES; made += 1) {
    const { id } = await service.aWorkspace();
    pairs.push({ from: await service.anAccount(id), to: await service.anAccount(id) });
  }
});

afterAll(async () => {
  await service.stop();
});

interface Sent {
  pair: (typeof pairs)[number];
  text: string;
  status: number;
  code: string;
  txid: number;
}

function send({ from, to }: (typeof pairs)[number], text: string, key?: string): Promise<Answer> {
  const peer = { _: 'inputPeerUser', userId: to.userId, accessHash: '0' };
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return service.call(from, 'messages.sendMessage', { peer, message: text }, { headers });
}

/** When a call was answered first, of those that are sent again and again without waiting for one another. */
async function untilAnswered(pair: (typeof pairs)[number], text: string): Promise<number> {
  let answeredAt: number | null = null;
  const probes: Promise<void>[] = [];
  await eventually(
    () => {
      const probe = send(pair, `${text}/${probes.length}`).then(({ status }) => {
        if (status === 200) answeredAt ??= performance.now();
      });
      probes.push(probe);
      return answeredAt !== null;
    },
    { everyMs: 250, timeoutMs: BACK_WITHIN_MS },
  );
  await Promise.all(probes);
  return answeredAt as unknown as number;
}

/** The texts that have arrived, newest first. */
async function arrivedOf({ from, to }: (typeof pairs)[number]): Promise<string[]> {
  const found: string[] = [];
  for (let offsetId = 0; ; ) {
    const page = await service.result(to, 'messages.getHistory', {
      peer: { _: 'inputPeerUser', userId: from.userId, accessHash: '0' },
      ...{ offsetId, offsetDate: 0, addOffset: 0, limit: 100, maxId: 0, minId: 0, hash: '0' },
    });
    if (page.messages.length === 0) return found;
    found.push(...page.messages.map(({ message }: { message: string }) => message));
    offsetId = page.messages.at(-1).id;
  }
}

it('a master that dies under load is replaced within ten seconds; effects, updates and txids stay together', async ({
  annotate,
}) => {
  const sent: Sent[] = [];
  let stopped = false;
  async function caller(number: number): Promise<void> {
    const pair = pairs[number % WORKSPACES] as (typeof pairs)[number];
    for (let i = 0; !stopped; i += 1) {
      const text = `${number}/${i}`;
      const { status, body } = await send(pair, text);
      sent.push({ pair, text, status, code: body.code ?? 'ok', txid: body.txid });
      if (status !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  const callers = Array.from({ length: WORKSPACES * 2 }, (_, number) => caller(number));
  await eventually(() => sent.length > 300, { timeoutMs: 60_000 });
  const victim = await findMasterOf(cluster, `${queuePrefix(0)}:calls-shared:wait`);
  const killedAt = performance.now();
  process.kill(victim.pid, 'SIGKILL');
  const backAt = await Promise.all(pairs.map((pair, at) => untilAnswered(pair, `probe ${at}`)));
  const back = Math.max(...backAt) - killedAt;
  stopped = true;
  await Promise.all(callers);

  const acknowledged = sent.filter(({ status }) => status === 200);
  const codes = [...new Set(sent.map(({ code }) => code))];
  let lost = 0;
  let doubled = 0;
  for (const pair of pairs) {
    const texts = await arrivedOf(pair);
    const arrived = new Set(texts);
    doubled += texts.length - arrived.size;
    const updates = await service.updates(pair.from.workspaceId);
    const txidOf = new Map<string, number>();
    for (const { update, txid } of updates)
      if (update._ === 'updateNewMessage') txidOf.set(update.message.message, txid);
    const offsets = updates.map(({ offset }) => offset);
    expect(offsets).toEqual([...new Set(offsets)].sort());
    // Whatever has an effect has its updates, and the other way round.
    expect(new Set(txidOf.keys())).toEqual(arrived);
    for (const one of acknowledged.filter((each) => each.pair === pair)) {
      if (arrived.has(one.text)) expect(txidOf.get(one.text)).toBe(one.txid);
      else lost += 1;
    }
    // None was given twice, neither to calls that were lost nor to any that came after them.
    const own = acknowledged.filter((each) => each.pair === pair);
    const textOf = new Map(own.map(({ txid, text }) => [txid, text]));
    expect(textOf.size).toBe(own.length);
    for (const [text, txid] of txidOf) expect(textOf.get(txid) ?? text).toBe(text);
  }
  await annotate(`back after ${Math.round(back)} ms; ${lost} of ${acknowledged.length} answered calls lost`);
  // None waits for its deadline, whatever of it was lost. Where all that waited goes on in one chat at once, some may have to give way.
  const expected = ['ok', 'unavailable', 'outcome_unknown', 'overloaded'];
  expect(codes.filter((code) => !expected.includes(code))).toEqual([]);
  expect(doubled).toBe(0);
  expect(lost).toBeLessThan(acknowledged.length / 10);
  for (const { child } of [...service.apis, ...service.workers]) expect(child.exitCode).toBeNull();
}, 120_000);

it('what the replica had not got is gone as a whole, and whoever has seen it is told', async () => {
  // One that still has a replica, and not the queues: what they lose would only hide what is looked at.
  const queues = await findMasterOf(cluster, `${queuePrefix(0)}:calls-shared:wait`);
  const { pair, master } = await findPairBeside(queues.port);
  const workspaceId = pair.from.workspaceId;
  const kept = await send(pair, 'kept', 'kept');
  const [replica] = await replicasOf(master.url);
  const client = new Redis(master.url);
  await untilReplicated(client);
  process.kill(replica?.pid as number, 'SIGSTOP');
  await client.call('CLIENT', 'KILL', 'TYPE', 'replica');
  const lost = await send(pair, 'lost', 'lost');
  const [seen] = (await service.updates(workspaceId)).slice(-1);
  client.disconnect();
  process.kill(master.pid, 'SIGKILL');
  process.kill(replica?.pid as number, 'SIGCONT');
  const at = `/v1/workspaces/${workspaceId}/updates?offset=${seen.offset}`;
  const told = await eventually(
    async () => {
      const answer = await service.request('GET', at);
      return answer.status !== 503 && answer;
    },
    { timeoutMs: 20_000 },
  );
  expect([kept.status, lost.status]).toEqual([200, 200]);
  expect(told.status).toBe(410);
  expect(told.body.code).toBe('offset_gone');
  expect(await arrivedOf(pair)).not.toContain('lost');
  // Its Idempotency-Key went with it, so it can be sent again; one that was kept is not sent twice.
  const again = await send(pair, 'lost', 'lost');
  expect(again.status).toBe(200);
  expect(again.body.txid).toBeGreaterThan(lost.body.txid);
  const replayed = await send(pair, 'kept', 'kept');
  expect([replayed.status, replayed.body.txid]).toEqual([200, kept.body.txid]);
  const texts = await arrivedOf(pair);
  expect(texts.filter((text) => text === 'lost' || text === 'kept').sort()).toEqual(['kept', 'lost']);
}, 60_000);

async function findPairBeside(port: number) {
  for (const pair of pairs) {
    const master = await findMasterOf(cluster, updatesKey(pair.from.workspaceId));
    if (master.port !== port && (await replicasOf(master.url)).length > 0) return { pair, master };
  }
  throw new Error('every workspace lies where the queues are');
}

/** Waits until the replica has what was written so far: WAIT would do so for its own connection only. */
async function untilReplicated(master: Redis): Promise<void> {
  const written = Number(/^master_repl_offset:(\d+)/m.exec(await master.info('replication'))?.[1]);
  await eventually(async () => {
    const offset = /^slave0:.*offset=(\d+)/m.exec(await master.info('replication'))?.[1];
    return Number(offset) >= written;
  });
}

async function replicasOf(url: string) {
  const client = new Redis(url);
  const info = await client.info('replication').finally(() => client.disconnect());
  const ports = [...info.matchAll(/^slave\d+:.*port=(\d+)/gm)].map(([, port]) => Number(port));
  return [...cluster.masters, ...cluster.replicas].filter(({ port }) => ports.includes(port));
}
