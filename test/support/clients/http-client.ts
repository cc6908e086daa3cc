import { createHash, randomFillSync } from 'node:crypto';
import { Long, MemoryStorage, tl } from '@mtcute/core';
import { BaseTelegramClient } from '@mtcute/core/client.js';
import { BaseCryptoProvider } from '@mtcute/core/utils.js';
import { findMethod } from '../../../src/tl/methods.ts';
import type { Account, Service } from '../service/service.ts';
import { requestThroughBinary, throughBinary, toTl } from '../tl/binary.ts';

/** The sandbox does not execute a method. */
export class NotExecuted extends Error {
  override name = 'NotExecuted';
  readonly method: string;

  constructor(method: string) {
    super(`${method} is not executed`);
    this.method = method;
  }
}

/**
 * mtcute's client with its `call` sent to a service over HTTP, as an account of the sandbox. Requests and results go through mtcute's
 * binary writer and reader; none may come out as another.
 */
export class HttpClient extends BaseTelegramClient {
  readonly account: Account;
  private readonly service: Service;

  private constructor(service: Service, account: Account) {
    super({
      apiId: 1,
      apiHash: '0',
      storage: new MemoryStorage(),
      crypto: new Crypto() as never,
      platform: PLATFORM,
      transport: {} as never,
      logLevel: 1,
      updates: { catchUp: false },
    });
    this.service = service;
    this.account = account;
  }

  /** A client that knows who it is. */
  static async open(service: Service, account: Account): Promise<HttpClient> {
    const client = new HttpClient(service, account);
    await client.prepare();
    const [self] = await client.call({ _: 'users.getUsers', id: [{ _: 'inputUserSelf' }] });
    await client.storage.self.storeFrom(self);
    return client;
  }

  override connect(): Promise<void> {
    return this.prepare();
  }

  override getPoolSize(): Promise<number> {
    return Promise.resolve(1);
  }

  override getMtprotoMessageId(): Promise<Long> {
    return Promise.resolve(Long.fromNumber(Date.now()));
  }

  override getPrimaryDcId(): Promise<number> {
    return Promise.resolve(1);
  }

  // biome-ignore lint/suspicious/noExplicitAny: mtcute's own type of it is generic
  override async call(request: any): Promise<any> {
    const method = String(request._);
    const { status, body } = await this.service.call(this.account, method, requestThroughBinary(request));
    if (status === 501) throw new NotExecuted(method);
    if (status !== 200) throw toRpcError(method, status, body);
    const result = toValue(method, body.result);
    await this.storage.peers.updatePeersFrom(result as never);
    return result;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: bodies are of any shape
function toRpcError(method: string, status: number, { code, detail, errors }: any): Error {
  if (!/^[A-Z]/.test(code)) return new Error(`${method}: ${code}: ${detail} ${JSON.stringify(errors)}`);
  return tl.RpcError.fromTl({ errorCode: status, errorMessage: code });
}

function toValue(method: string, result: { _: string; items?: object[] }): unknown {
  if (result._ === 'boolTrue' || result._ === 'boolFalse') return result._ === 'boolTrue';
  if (result._ !== 'vector') return throughBinary(result);
  const type = findMethod(method)?.returnType ?? '';
  return (result.items ?? []).map((item) =>
    typeof item === 'object' ? throughBinary(item) : toTl(type, item),
  );
}

const PLATFORM = {
  beforeExit: () => () => undefined,
  log: () => undefined,
  getDefaultLogLevel: () => null,
  getDeviceModel: () => 'test',
};

// Nothing is encrypted here.
class Crypto extends BaseCryptoProvider {
  override randomFill(bytes: Uint8Array): void {
    randomFillSync(bytes);
  }

  sha1(data: Uint8Array): Uint8Array {
    return createHash('sha1').update(data).digest();
  }

  sha256(data: Uint8Array): Uint8Array {
    return createHash('sha256').update(data).digest();
  }
}
