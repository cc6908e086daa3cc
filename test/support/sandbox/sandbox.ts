import { newId } from '../../../src/ids.ts';
import { decodeFrame } from '../../../src/queue/frame.ts';
import type { WireCall } from '../../../src/queue/wire.ts';
import type { RedisConnection } from '../../../src/redis/connections.ts';
import { openRedis, untilReady } from '../../../src/redis/connections.ts';
import { stateKey, updatesKey } from '../../../src/redis/keys.ts';
import { findMethod } from '../../../src/tl/methods.ts';
import { validateParams } from '../../../src/tl/validate-params.ts';
import type { Driver } from '../../../workers/driver.ts';
import { CallExecutor } from '../../../workers/executor/call-executor.ts';
import type { MemberRecord } from '../../../workers/sandbox/model/chats/chats.ts';
import { joinedKey, membersKey } from '../../../workers/sandbox/model/chats/keys.ts';
import { USERS } from '../../../workers/sandbox/model/people/keys.ts';
import { type Seeded, seededField } from '../../../workers/sandbox/model/people/seeded.ts';
import { openSandboxDriver } from '../../../workers/sandbox/sandbox-driver.ts';
import { startTestRedis, type TestRedis } from '../redis/redis.ts';
import { readKeptEntry } from '../service/check-streams.ts';
import { checkBinary } from '../tl/binary.ts';
import { checkResult } from '../tl/check-result.ts';

/** An account of the sandbox messenger. */
export interface SandboxAccount {
  id: string;
  workspaceId: string;
  userId: number;
  username: string;
  phone: string | null;
  bot: boolean;
  strictPeers: boolean;
  faults: boolean;
}

/** An update as it lies on the stream. */
export interface StreamedUpdate {
  kind: string;
  /** The account it is for, or null for a seeded user's. */
  accountId: string | null;
  userId: number | null;
  txid: number;
  // biome-ignore lint/suspicious/noExplicitAny: updates are of any shape
  update: any;
  users: Result[];
  chats: Result[];
}

/** The messenger refused a call, with this error's name. */
export class Refused extends Error {
  override name = 'Refused';
  readonly code: string;

  constructor(code: string, detail: string) {
    super(`${code}: ${detail}`);
    this.code = code;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: results are of any shape
type Result = any;

/**
 * The sandbox messenger in this process, over a Redis of its own: calls are checked, run and committed as a worker does. Every
 * result and every update is held against the TL schema.
 */
export class Sandbox {
  readonly redis: RedisConnection;
  readonly driver: Driver;
  /** How often a handler was run again because something had changed by the commit. */
  conflicts = 0;
  private readonly server: TestRedis;
  private readonly executor: CallExecutor;

  private constructor(server: TestRedis, redis: RedisConnection) {
    this.server = server;
    this.redis = redis;
    this.driver = this.counting(openSandboxDriver());
    this.executor = new CallExecutor({
      state: redis,
      clock: Date,
      drivers: new Map([[this.driver.name, this.driver]]),
      crashFaults: false,
    });
  }

  static async open(): Promise<Sandbox> {
    const server = await startTestRedis();
    const redis = openRedis(server.url, 'state', () => undefined);
    await untilReady(redis);
    return new Sandbox(server, redis);
  }

  async close(): Promise<void> {
    this.redis.disconnect();
    await this.server.stop();
  }

  /** A new account, in a new workspace where none is given. */
  async anAccount(
    name = 'Ada',
    {
      workspaceId = newId('workspace'),
      bot = false,
      strictPeers = false,
    }: { workspaceId?: string; bot?: boolean; strictPeers?: boolean } = {},
  ): Promise<SandboxAccount> {
    const blank = {
      userId: 0,
      username: '',
      phone: null,
      bot,
      strictPeers,
      faults: false,
    };
    const account = { id: newId('messengerAccount'), workspaceId, ...blank };
    const payload = { accountId: account.id, name, bot, strictPeers };
    return {
      ...account,
      ...(await this.order(account, 'connectAccount', payload)),
    };
  }

  /** Two accounts of one workspace. */
  async twoAccounts(): Promise<[SandboxAccount, SandboxAccount]> {
    const ada = await this.anAccount('Ada');
    return [ada, await this.anAccount('Bob', { workspaceId: ada.workspaceId })];
  }

  /** Has the driver carry out an order. */
  order(account: SandboxAccount, order: string, payload: object = {}): Promise<Result> {
    return this.run(account, order, 'order', payload);
  }

  /** The result of a method that has to succeed, checked against the schema. */
  async call(account: SandboxAccount, method: string, params: object = {}): Promise<Result> {
    const tlMethod = findMethod(method);
    if (!tlMethod) throw new Error(`${method} is not a method`);
    const checked = validateParams(tlMethod, params);
    if (!checked.ok) throw new Refused('invalid_params', JSON.stringify(checked.errors));
    const result = await this.run(account, method, 'method', checked.params);
    const errors = [...checkResult(tlMethod, result), ...checkBinary(result)];
    if (errors.length > 0)
      throw new Error(`${method} gave ${JSON.stringify(result)}: ${JSON.stringify(errors)}`);
    return result;
  }

  /** What sending a text gives. */
  send(from: SandboxAccount, peer: object, message: string, more: object = {}): Promise<Result> {
    return this.call(from, 'messages.sendMessage', {
      peer,
      message,
      randomId: aRandomId(),
      ...more,
    });
  }

  /** The messages of a conversation, newest first. */
  async history(account: SandboxAccount, peer: object, window: object = {}): Promise<Result[]> {
    return (
      await this.call(account, 'messages.getHistory', {
        peer,
        ...WHOLE,
        ...window,
      })
    ).messages;
  }

  /** The newest message of a conversation. */
  async newest(account: SandboxAccount, peer: object): Promise<Result> {
    return (await this.history(account, peer, { limit: 1 }))[0];
  }

  /** A new basic group of these accounts, the first its creator. */
  async aGroup(
    creator: SandboxAccount,
    ...members: SandboxAccount[]
  ): Promise<{ _: 'inputPeerChat'; chatId: number }> {
    const { updates } = await this.call(creator, 'messages.createChat', {
      title: 'Group',
      users: members.map(userOf),
    });
    return { _: 'inputPeerChat', chatId: updates.chats[0].id };
  }

  /** Ids of what was seeded for an account. */
  async seeded({ workspaceId, userId }: SandboxAccount): Promise<Seeded> {
    const raw = await this.redis.hget(stateKey(workspaceId, USERS), seededField(userId));
    return JSON.parse(raw ?? 'null');
  }

  /** Makes an account a member of a channel, without anybody hearing of it. */
  async letIn({ workspaceId, userId }: SandboxAccount, channelId: number): Promise<void> {
    const member: MemberRecord = { role: 'member', date: 1 };
    const key = stateKey(workspaceId, membersKey(channelId));
    await this.redis.hset(key, String(userId), JSON.stringify(member));
    await this.redis.sadd(stateKey(workspaceId, joinedKey(userId)), channelId);
  }

  /** Uploads a file in parts and gives the `InputFile` that names it. */
  async upload(account: SandboxAccount, bytes: Buffer, partSize = 1_024): Promise<Result> {
    const id = aRandomId();
    const parts = Math.ceil(bytes.length / partSize);
    for (let filePart = 0; filePart < parts; filePart += 1) {
      const part = bytes.subarray(filePart * partSize, (filePart + 1) * partSize);
      await this.call(account, 'upload.saveFilePart', {
        fileId: id,
        filePart,
        bytes: part.toString('base64'),
      });
    }
    return { _: 'inputFile', id, parts, name: 'file', md5Checksum: '' };
  }

  /** Sends an uploaded document; `kind` decides its attributes. */
  async sendFile(
    from: SandboxAccount,
    peer: object,
    kind: keyof typeof ATTRIBUTES,
    more: object = {},
  ): Promise<Result> {
    const file = await this.upload(from, Buffer.from(`the bytes of a ${kind}`));
    const attributes = ATTRIBUTES[kind];
    const media = {
      _: 'inputMediaUploadedDocument',
      file,
      mimeType: MIME_TYPES[kind],
      attributes,
    };
    return this.call(from, 'messages.sendMedia', {
      peer,
      media,
      message: '',
      randomId: aRandomId(),
      ...more,
    });
  }

  /** The name of the error a method refuses the call with. */
  async refusal(account: SandboxAccount, method: string, params: object = {}): Promise<string> {
    try {
      const result = await this.call(account, method, params);
      throw new Error(`${method} succeeded: ${JSON.stringify(result)}`);
    } catch (error) {
      if (error instanceof Refused) return error.code;
      throw error;
    }
  }

  /** The status and the body that a caller of the method would get; for params that do not fit the method as well. */
  async answer(
    account: SandboxAccount,
    method: string,
    params: object = {},
  ): Promise<{ status: number; body: Result }> {
    const tlMethod = findMethod(method);
    if (!tlMethod) throw new Error(`${method} is not a method`);
    const checked = validateParams(tlMethod, params);
    if (!checked.ok) return { status: 400, body: { code: 'invalid_params', errors: checked.errors } };
    const { frame } = await this.executor.runAlone(
      this.wireOf(account, method, 'method', checked.params),
      false,
    );
    const { status, body } = decodeFrame(frame ?? '504 -\n{}');
    return { status, body: JSON.parse(body) };
  }

  /** The updates for an account so far, each checked against the schema. */
  async updatesOf(account: SandboxAccount): Promise<Result[]> {
    const own = (await this.updates(account)).filter(({ accountId }) => accountId === account.id);
    return own.map(({ update }) => update);
  }

  /** The updates of a workspace, all of them or those after a txid, each checked against the schema. */
  async updates({ workspaceId }: { workspaceId: string }, afterTxid = 0): Promise<StreamedUpdate[]> {
    const entries = await this.redis.xrange(
      updatesKey(workspaceId),
      afterTxid === 0 ? '-' : `(${afterTxid}-9999`,
      '+',
    );
    return entries.map(([id, fields]) => {
      const { field, update, peers } = readKeptEntry(fields);
      const userId = field('s');
      return {
        kind: field('k') ?? '',
        accountId: field('a') || null,
        userId: userId === null ? null : Number(userId),
        txid: Number(id.split('-')[0]),
        update,
        ...peers,
      };
    });
  }

  /** The updates that doing something caused, besides what it gives. */
  async watch<T>(
    account: SandboxAccount,
    act: () => Promise<T>,
  ): Promise<{ result: T; updates: StreamedUpdate[] }> {
    const before = await this.updates(account);
    const result = await act();
    return {
      result,
      updates: (await this.updates(account)).slice(before.length),
    };
  }

  /** Runs one call twice, as when a job is run again, and gives the frame of the reply each time. */
  async callAgain(
    account: SandboxAccount,
    method: string,
    params: object,
    between: () => Promise<void>,
  ): Promise<[string | null, string | null]> {
    const tlMethod = findMethod(method);
    const checked = tlMethod && validateParams(tlMethod, params);
    if (!checked?.ok) throw new Error(`${method} is not a method, or does not take these params`);
    const wire = this.wireOf(account, method, 'method', checked.params);
    const first = await this.executor.runAlone(wire, false);
    await between();
    const second = await this.executor.runAlone(wire, true);
    return [first.frame, second.frame];
  }

  private async run(
    account: SandboxAccount,
    method: string,
    kind: 'method' | 'order',
    params: object,
  ): Promise<Result> {
    const outcome = await this.executor.runAlone(this.wireOf(account, method, kind, params), false);
    const { status, body } = decodeFrame(outcome.frame ?? '504 -\n{}');
    const answer = JSON.parse(body);
    if (status === 200) return answer.result;
    if (status === 500) throw outcome.error;
    throw new Refused(answer.code, answer.detail ?? '');
  }

  private wireOf(
    account: SandboxAccount,
    method: string,
    kind: 'method' | 'order',
    params: object,
  ): WireCall {
    const now = Date.now();
    const { workspaceId, userId, bot, strictPeers } = account;
    const faults = kind === 'method' && account.faults;
    return {
      id: newId('call'),
      number: 0,
      workspaceId,
      account: { id: account.id, userId, bot, strictPeers, faults },
      driver: 'sandbox',
      method,
      kind,
      params,
      acceptedAt: now,
      notAfter: now + 30_000,
    };
  }

  private counting(driver: Driver): Driver {
    const seen = new WeakSet<object>();
    const methods = new Map(
      [...driver.methods].map(([name, method]) => [
        name,
        {
          ...method,
          run: (params: never, call: Parameters<typeof method.run>[1]) => {
            if (seen.has(params)) this.conflicts += 1;
            seen.add(params);
            return method.run(params, call);
          },
        },
      ]),
    );
    return { ...driver, methods: methods as Driver['methods'] };
  }
}

/** The `InputPeer` by which an account addresses another one. */
export function peerOf({ userId }: SandboxAccount) {
  return { _: 'inputPeerUser', userId, accessHash: '0' } as const;
}

/** The `InputUser` by which an account names another one. */
export function userOf({ userId }: SandboxAccount) {
  return { _: 'inputUser', userId, accessHash: '0' } as const;
}

const VIDEO = { _: 'documentAttributeVideo', duration: 1.5, w: 320, h: 240 };

const ATTRIBUTES = {
  voice: [{ _: 'documentAttributeAudio', voice: true, duration: 3 }],
  video: [VIDEO],
  round: [{ ...VIDEO, roundMessage: true, w: 240 }],
  document: [{ _: 'documentAttributeFilename', fileName: 'notes.txt' }],
};

const MIME_TYPES = {
  voice: 'audio/ogg',
  video: 'video/mp4',
  round: 'video/mp4',
  document: 'text/plain',
};

let sent = 0n;

/** A `randomId` that no other message of the test run has. */
export function aRandomId(): string {
  sent += 1n;
  return (sent + 1_000_000n).toString();
}

/** The `InputPeer` of a channel. */
export function channelOf(channelId: number) {
  return { _: 'inputPeerChannel', channelId, accessHash: '0' } as const;
}

/** A window over everything there is. */
export const WHOLE = {
  offsetId: 0,
  offsetDate: 0,
  addOffset: 0,
  limit: 100,
  maxId: 0,
  minId: 0,
  hash: '0',
};
