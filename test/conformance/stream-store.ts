import { newId } from '../../src/ids.ts';
import { findTail } from '../../src/redis/find-tail.ts';
import { ZERO_OFFSET } from '../../src/updates/offset.ts';
import type { TestApi } from '../support/api/api.ts';
import { appendUpdates } from '../support/api/append-update.ts';

/** A named stream that is kept as the update stream of a workspace. */
export interface NamedStream {
  readonly workspaceId: string;
  readonly contentType: string;
  readonly isJson: boolean;
  isClosed: boolean;
  lastSequence: string;
  /** Offset of the newest message. */
  tail: string;
  readonly closed: Promise<void>;
  close(): void;
}

/** Why something cannot be written, as an HTTP status. */
export class WriteRefused extends Error {
  override name = 'WriteRefused';
  readonly status: number;

  constructor(status: number, why: string) {
    super(why);
    this.status = status;
  }
}

/** What a write asks for. */
export interface Write {
  body: Buffer;
  contentType: string | undefined;
  sequence: string | undefined;
  closes: boolean;
}

const MOST_BYTES = 512 * 1024;
const DEFAULT_TYPE = 'application/octet-stream';

/** The write half of the stream protocol, for tests alone: streams by name, appended to in the way that calls append. */
export class StreamStore {
  private readonly api: TestApi;
  private readonly organizationId: string;
  private readonly streams = new Map<string, NamedStream>();
  private turn: Promise<unknown> = Promise.resolve();

  private constructor(api: TestApi, organizationId: string) {
    this.api = api;
    this.organizationId = organizationId;
  }

  static async open(api: TestApi): Promise<StreamStore> {
    const { id } = await api.ok('POST', '/v1/organizations', { name: 'Streams' });
    return new StreamStore(api, id);
  }

  find(name: string): NamedStream | undefined {
    return this.streams.get(name);
  }

  /** Makes a stream, or finds one that was made in the same way. */
  create(name: string, write: Write): Promise<{ stream: NamedStream; isNew: boolean }> {
    return this.inTurn(async () => {
      const contentType = write.contentType ?? DEFAULT_TYPE;
      const known = this.streams.get(name);
      if (known !== undefined) {
        const isSame = typeOf(known.contentType) === typeOf(contentType) && known.isClosed === write.closes;
        if (!isSame) throw new WriteRefused(409, 'It is there already, and different.');
        return { stream: known, isNew: false };
      }
      const { organizationId } = this;
      const { id } = await this.api.ok('POST', '/v1/workspaces', { name: 'Stream', organizationId });
      const stream = newStream(id, contentType);
      await this.append(stream, messagesOf(stream, write.body));
      if (write.closes) stream.close();
      this.streams.set(name, stream);
      return { stream, isNew: true };
    });
  }

  /** Appends to a stream, closes it, or both. */
  write(name: string, write: Write): Promise<NamedStream> {
    return this.inTurn(async () => {
      const stream = this.streams.get(name);
      if (stream === undefined) throw new WriteRefused(404, 'There is no such stream.');
      if (write.body.length > 0) await this.append(stream, admit(stream, write));
      else if (!write.closes) throw new WriteRefused(400, 'There is nothing to append.');
      stream.lastSequence = write.sequence ?? stream.lastSequence;
      if (write.closes) stream.close();
      return stream;
    });
  }

  /** Removes a stream; false if there is none. */
  remove(name: string): Promise<boolean> {
    return this.inTurn(async () => {
      const stream = this.streams.get(name);
      if (stream === undefined) return false;
      this.streams.delete(name);
      await this.api.ok('DELETE', `/v1/workspaces/${stream.workspaceId}`);
      return true;
    });
  }

  private async append(stream: NamedStream, values: unknown[]): Promise<void> {
    if (values.length === 0) return;
    const { redis } = this.api;
    const accountId = newId('messengerAccount');
    await appendUpdates(
      redis,
      stream.workspaceId,
      values.map((value) => ({ accountId, value })),
    );
    stream.tail = (await findTail(redis, stream.workspaceId)) || ZERO_OFFSET;
  }

  private inTurn<T>(act: () => Promise<T>): Promise<T> {
    const result = this.turn.then(act);
    this.turn = result.catch(() => undefined);
    return result;
  }
}

function newStream(workspaceId: string, contentType: string): NamedStream {
  const { promise, resolve } = withResolvers();
  return {
    workspaceId,
    contentType,
    isJson: typeOf(contentType) === 'application/json',
    isClosed: false,
    lastSequence: '',
    tail: ZERO_OFFSET,
    closed: promise,
    close() {
      this.isClosed = true;
      resolve();
    },
  };
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** The messages to append, or why not. */
function admit(stream: NamedStream, { body, contentType, sequence }: Write): unknown[] {
  if (contentType === undefined) throw new WriteRefused(400, 'Of what type is it?');
  if (stream.isClosed) throw new WriteRefused(409, 'The stream is closed.');
  if (typeOf(contentType) !== typeOf(stream.contentType))
    throw new WriteRefused(409, 'The stream is of another type.');
  if (sequence !== undefined && sequence <= stream.lastSequence)
    throw new WriteRefused(409, 'The sequence goes back.');
  const messages = messagesOf(stream, body);
  if (messages.length === 0) throw new WriteRefused(400, 'There is nothing to append.');
  return messages;
}

/** JSON is kept value by value, an outermost array being several; anything else as it came, in base64. */
function messagesOf({ isJson }: NamedStream, body: Buffer): unknown[] {
  if (body.length > MOST_BYTES) throw new WriteRefused(413, 'That is too much at once.');
  if (body.length === 0) return [];
  if (!isJson) return [body.toString('base64')];
  try {
    const parsed: unknown = JSON.parse(body.toString());
    return Array.isArray(parsed) ? parsed : [parsed];
  } catch {
    throw new WriteRefused(400, 'That is not JSON.');
  }
}

function typeOf(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}
