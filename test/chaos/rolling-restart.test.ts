import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, type ApiProcess, Service, type ServiceProcess } from '../support/service/service.ts';

const CALLERS = 512;
const CALLS_PER_SECOND = 1_000;
const CALLS_MAX = 30_000;
// Reading so many takes as long as sending them.
const LIMIT_MS = 300_000;
const TRIES_MAX = 600;
const APIS = 2;
const WORKERS = 3;

let service: Service;
let sender: Account;
let receiver: Account;

beforeAll(async () => {
  service = await Service.start({
    ...{ apis: APIS, workers: WORKERS },
    // No call is to be refused while the machine stands still.
    env: { CALL_TIMEOUT_MS: '600000' },
  });
  const { id } = await service.aWorkspace();
  sender = await service.anAccount(id);
  receiver = await service.anAccount(id);
});

afterAll(() => service.stop());

it('every API and worker process is replaced under load, and no call fails or takes effect twice', {
  timeout: LIMIT_MS,
}, async ({ annotate }) => {
  const urls = service.apis.map(({ url }) => url);
  const load = new Load(urls);
  const calling = load.run();
  await load.untilAnswered(200);
  for (const worker of [...service.workers]) {
    await service.startWorker();
    await stop(worker);
    await load.untilAnswered(100);
  }
  for (const [place, api] of [...service.apis].entries()) {
    await stop(api);
    urls[place] = (await service.startApi()).url;
    await load.untilAnswered(100);
  }
  load.stop();
  await calling;
  const { texts: sent, switches, perSecond } = load;
  await annotate(
    `${sent.length} calls, ${Math.round(perSecond)} a second, ${switches} changes of the API process`,
  );

  expect(load.failed).toEqual([]);
  expect(load.switches).toBeGreaterThan(0);
  const url = urls[0] as string;
  const texts = load.texts.toSorted();
  expect((await inBox(sender, receiver, url)).toSorted()).toEqual(texts);
  expect((await inBox(receiver, sender, url)).toSorted()).toEqual(texts);
  const updates = await service.updates(receiver.workspaceId, '-1', '', url);
  const streamed = updates
    .filter(({ messengerAccountId }) => messengerAccountId === receiver.id)
    .map(({ update }) => update.message.message);
  expect(streamed.toSorted()).toEqual(texts);
});

async function stop({ child }: ServiceProcess | ApiProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
}

/** Callers who go on calling, each its own API process until that cannot be reached or sends them elsewhere. */
class Load {
  readonly texts: string[] = [];
  readonly failed: unknown[] = [];
  switches = 0;
  private answered = 0;
  private stopped = false;
  private readonly startedAt = performance.now();
  private answeredAt = this.startedAt;
  private readonly urls: readonly string[];

  constructor(urls: readonly string[]) {
    this.urls = urls;
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: CALLERS }, (_, caller) => this.callOn(caller)));
  }

  stop(): void {
    this.stopped = true;
  }

  /** How many calls were answered a second, from the first to the last. */
  get perSecond(): number {
    return (this.answered * 1_000) / (this.answeredAt - this.startedAt);
  }

  async untilAnswered(more: number): Promise<void> {
    const goal = Math.min(this.answered + more, CALLS_MAX);
    while (this.answered < goal && this.failed.length === 0) await pause(5);
  }

  private async callOn(caller: number): Promise<void> {
    const startedAt = performance.now();
    for (let sent = 0; !this.stopped && this.texts.length < CALLS_MAX; sent += 1) {
      const text = `caller ${caller} call ${sent}`;
      this.texts.push(text);
      await this.call(caller, text);
      this.answered += 1;
      this.answeredAt = performance.now();
      await pause(startedAt + (sent * CALLERS * 1_000) / CALLS_PER_SECOND - performance.now());
    }
  }

  private async call(caller: number, message: string): Promise<void> {
    const peer = { _: 'inputPeerUser', userId: receiver.userId, accessHash: '0' };
    const headers = { 'idempotency-key': message.replaceAll(' ', '-') };
    const answers: unknown[] = [];
    for (let place = caller, tries = 0; tries < TRIES_MAX; tries += 1) {
      const url = this.urls[place % this.urls.length] as string;
      const answer = await service
        .call(sender, 'messages.sendMessage', { peer, message }, { url, headers })
        .catch((error: Error) => error);
      if (!(answer instanceof Error) && answer.status === 200) return;
      answers.push(answer instanceof Error ? answer.cause : answer.body);
      // Nobody there, the connection lost, or sent elsewhere; 409 means that the attempt before is still under way.
      const mayAskAgain =
        answer instanceof Error || ['shutting_down', 'call_in_flight'].includes(answer.body.code);
      if (!mayAskAgain) break;
      if (answer instanceof Error || answer.body.code === 'shutting_down') {
        this.switches += 1;
        place += 1;
      }
      await pause(100);
    }
    this.failed.push({ message, answers });
  }
}

/** The texts in the account's chat with another, each as often as it is there. */
async function inBox(account: Account, other: Account, url: string): Promise<string[]> {
  const peer = { _: 'inputPeerUser', userId: other.userId, accessHash: '0' };
  const page = { offsetDate: 0, addOffset: 0, limit: 100, maxId: 0, minId: 0, hash: '0' };
  const texts: string[] = [];
  for (let offsetId = 0; ; ) {
    const params = { peer, ...page, offsetId };
    const { status, body } = await service.call(account, 'messages.getHistory', params, { url });
    expect(status).toBe(200);
    const found: { id: number; message: string }[] = body.result.messages;
    if (found.length === 0) return texts;
    texts.push(...found.map(({ message }) => message));
    offsetId = found.at(-1)?.id as number;
  }
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}
