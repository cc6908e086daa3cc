import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Account, type Answer, type ApiProcess, Service } from '../support/service/service.ts';

const CALLS = 500;
const FREE_MS = 5_000;
const ANSWERED_MS = 20_000;

let service: Service;
let sender: Account;
let receiver: Account;

beforeAll(async () => {
  service = await Service.start({ workers: 0 });
  await service.startWorker();
  const { id } = await service.aWorkspace();
  sender = await service.anAccount(id);
  receiver = await service.anAccount(id);
});

afterAll(() => service.stop());

it('keyed calls of an API process that was killed are done through another within seconds, each once', async () => {
  const lost = await service.startApi();
  const texts = Array.from({ length: CALLS }, (_, i) => `killed-${i}`);
  await surrounded(lost, texts, async () => {
    lost.child.kill('SIGKILL');
  });
});

it('keyed calls of an API process that only slept are done through another, and not again when it wakes', async () => {
  const asleep = await service.startApi();
  const texts = Array.from({ length: CALLS }, (_, i) => `asleep-${i}`);
  const answers = await surrounded(asleep, texts, async () => {
    asleep.child.kill('SIGSTOP');
  });
  asleep.child.kill('SIGCONT');
  // Whoever still waits there gets the one result, or is told to try again.
  for (const [i, answer] of (await Promise.all(answers.waiting)).entries()) {
    if (answer instanceof Error) throw answer;
    if (answer.status === 200) expect(answer.body).toEqual(answers.done[i]?.body);
    else expect(answer.body).toMatchObject({ retryable: true });
  }
  expect((await received('asleep')).toSorted()).toEqual(texts.toSorted());
});

/** Sends texts through an API process while no worker runs, stops that, and sends them again through another. */
async function surrounded(api: ApiProcess, texts: string[], stop: () => Promise<void>) {
  const [worker] = service.workers;
  worker?.child.kill('SIGSTOP');
  const waiting = texts.map((text) => send(text, api.url).catch((error: Error) => error));
  await eventually(async () => (await inFlight(api)) === texts.length);
  await stop();
  const stoppedAt = performance.now();
  worker?.child.kill('SIGCONT');
  let blockedUntil = 0;
  const done = await Promise.all(
    texts.map(async (text) => {
      for (;;) {
        const sentAt = performance.now();
        const answer = await send(text, service.url);
        if (answer.body.code !== 'call_in_flight') return answer;
        // It was decided no sooner; the answers of five hundred may take long to be read.
        blockedUntil = Math.max(blockedUntil, sentAt);
        await sleep(200);
      }
    }),
  );
  expect(performance.now() - stoppedAt).toBeLessThan(ANSWERED_MS);
  const replayed = done.filter(({ headers }) => headers.get('idempotency-replayed') === 'true').length;
  const blockedMs = Math.max(0, blockedUntil - stoppedAt);
  process.stderr.write(
    `${replayed} of ${texts.length} replayed, last 409 after ${blockedMs.toFixed(0)} ms\n`,
  );
  expect(new Set(done.map(({ status }) => status))).toEqual(new Set([200]));
  expect(replayed).toBeLessThan(texts.length);
  expect(blockedMs).toBeLessThan(FREE_MS);
  const [text = ''] = texts;
  const prefix = text.replace(/\d+$/, '');
  expect((await received(prefix)).toSorted()).toEqual(texts.toSorted());
  return { waiting, done };
}

function send(message: string, url: string): Promise<Answer> {
  const peer = { _: 'inputPeerUser', userId: receiver.userId, accessHash: '0' };
  const headers = { 'idempotency-key': message };
  return service.call(sender, 'messages.sendMessage', { peer, message }, { url, headers });
}

async function inFlight(api: ApiProcess): Promise<number> {
  const { body } = await service.request('GET', '/metrics', undefined, { url: api.url });
  return Number(/^switchboard_calls_in_flight (\d+)$/m.exec(body)?.[1]);
}

async function received(prefix: string): Promise<string[]> {
  const updates = await service.updates(receiver.workspaceId);
  return updates.flatMap(({ messengerAccountId, update }) =>
    messengerAccountId === receiver.id && update.message?.message.startsWith(prefix)
      ? [update.message.message as string]
      : [],
  );
}
