import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { enlargeWorkspace, FILLED_FROM } from '../support/sandbox/large-account.ts';
import { type Account, RUNS_ON_CLUSTER, Service } from '../support/service/service.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

const UNREAD = 100_000;
const PART_BYTES = 512 * 1_024;
const PARTS = 19;
const ROUNDS = 4;
const PAUSE_MS = 2_000;

let service: Service;
let victim: Victim;
let ada: Account;
let bob: Account;

beforeAll(async () => {
  service = await Service.start();
  victim = await Victim.create(service);
  const { id } = await service.aWorkspace();
  [ada, bob] = [await service.anAccount(id), await service.anAccount(id)];
}, 120_000);
afterAll(() => service.stop());

const peerOf = ({ userId }: Account) => ({ _: 'inputPeerUser', userId, accessHash: '0' });

async function bulk(
  account: Account,
  method: string,
  paramsOf: (index: number) => object,
): Promise<number[]> {
  const calls = Array.from({ length: 100 }, (_, i) => ({
    accountId: account.id,
    method,
    params: paramsOf(i),
  }));
  const { status, body } = await service.request('POST', `/workspaces/${account.workspaceId}/calls`, {
    calls,
  });
  return status === 200 ? body.results.map((result: { status: number }) => result.status) : [status];
}

/** Does something several times, with a pause each time, so that the victim makes enough calls to tell. */
async function inRounds<T>(act: () => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    done.push(await act());
    await sleep(PAUSE_MS);
  }
  return done;
}

async function aLargeUpload(): Promise<object> {
  const bytes = randomBytes(PARTS * PART_BYTES);
  const id = String(randomBytes(6).readUIntBE(0, 6));
  for (let filePart = 0; filePart < PARTS; filePart += 1) {
    const part = bytes.subarray(filePart * PART_BYTES, (filePart + 1) * PART_BYTES);
    await service.result(ada, 'upload.saveFilePart', {
      fileId: id,
      filePart,
      bytes: part.toString('base64'),
    });
  }
  const md5Checksum = createHash('md5').update(bytes).digest('hex');
  return { _: 'inputFile', id, parts: PARTS, name: 'large', md5Checksum };
}

it('checks the checksum of a large upload for 100 calls at once', async () => {
  const file = await aLargeUpload();
  const media = { _: 'inputMediaUploadedDocument', file, mimeType: 'text/plain', attributes: [] };
  const wrong = { ...media, file: { ...file, md5Checksum: '0'.repeat(32) } };
  const peer = { _: 'inputPeerSelf' };
  const send = () =>
    bulk(ada, 'messages.sendMedia', (i) => ({ peer, media: i % 2 ? wrong : media, message: '' }));
  const harm = await victim.during(() => inRounds(send));
  expectUnhurt('checksums of a large upload', harm);
  expect(harm.result.flat().filter((status) => status === 200)).toHaveLength(50 * ROUNDS);
}, 120_000);

// State is written past the service, which knows of one server here.
it.skipIf(RUNS_ON_CLUSTER)(
  'reads far into a long conversation, asks for its state and searches, many times at once',
  async () => {
    await service.result(bob, 'messages.sendMessage', { peer: peerOf(ada), message: 'word '.repeat(40) });
    await service.result(ada, 'messages.sendMessage', { peer: peerOf(bob), message: 'Hello' });
    const redis = new Redis(service.redis.url);
    const mine = ['seq', 'dialogs:', `history:${ada.userId}:u${bob.userId}`, `messages:u${ada.userId}`];
    await enlargeWorkspace(redis, ada.workspaceId, UNREAD, mine);
    redis.disconnect();
    const filter = { _: 'inputMessagesFilterEmpty' };
    const window = { offsetId: 0, addOffset: 0, limit: 20, maxId: 0, minId: 0, hash: '0' };
    const times = { minDate: 0, maxDate: 0 };
    const q = 'word '.repeat(50).trim();
    let read = FILLED_FROM + UNREAD / 2;
    const attack = async () => {
      const reads = Array.from({ length: 16 }, () => {
        read += 100;
        return service.call(ada, 'messages.readHistory', { peer: peerOf(bob), maxId: read });
      });
      const answers = await Promise.all(reads);
      const states = await bulk(ada, 'updates.getState', () => ({}));
      const far = { peer: peerOf(bob), offsetDate: 0, ...window, addOffset: UNREAD / 2 };
      const pages = await bulk(ada, 'messages.getHistory', () => far);
      const search = { peer: peerOf(bob), q, filter, ...times, ...window };
      const searches = Array.from({ length: 4 }, () => service.call(ada, 'messages.search', search));
      answers.push(...(await Promise.all(searches)));
      return [...answers.map(({ status }) => status), ...states, ...pages];
    };
    const harm = await victim.during(() => inRounds(attack));
    expectUnhurt('methods on a large account', harm);
    expect(harm.result.flat().filter((status) => status !== 200)).toEqual([]);
  },
  120_000,
);
