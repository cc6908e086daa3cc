import { randomBytes } from 'node:crypto';
import { RawConnection } from '../http/raw-connection.ts';
import type { Account, Service } from '../service/service.ts';

const PART = 512 * 1024;

/** A tenant of its own organization, with an account, a key of its workspace, and whatever it does over raw connections. */
export class Stranger {
  readonly account: Account;
  private readonly service: Service;
  private readonly key: string;

  private constructor(service: Service, account: Account, key: string) {
    this.service = service;
    this.account = account;
    this.key = key;
  }

  static async create(service: Service): Promise<Stranger> {
    const { id: workspaceId } = await service.aWorkspace();
    const account = await service.anAccount(workspaceId);
    const scopes = [
      'calls:write',
      'calls:read',
      'updates:read',
      'workspaces:read',
      'accounts:read',
      'accounts:write',
    ];
    const { secret } = await service.ok('POST', '/v1/api-keys', { name: 'Stranger', workspaceId, scopes });
    return new Stranger(service, account, secret);
  }

  /** A request as it goes over the wire, with its key. */
  requestText(line: string, body = ''): string {
    const json = `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
    const head = `${line} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${this.key}\r\n`;
    return `${head}${body === '' ? '' : json}\r\n${body}`;
  }

  /** A call of its account as it goes over the wire. */
  callText(method: string, params: object): string {
    const { workspaceId, id } = this.account;
    const path = `/workspaces/${workspaceId}/messenger-accounts/${id}/call/${method}`;
    return this.requestText(`POST ${path}`, JSON.stringify({ params }));
  }

  /** The same call many times in one request, as it goes over the wire. */
  bulkText(times: number, method: string, params: object): string {
    const { workspaceId, id: accountId } = this.account;
    const calls = Array.from({ length: times }, () => ({ accountId, method, params }));
    return this.requestText(`POST /workspaces/${workspaceId}/calls`, JSON.stringify({ calls }));
  }

  /** Connections that have sent something and read nothing of what is answered. */
  async openUnread(count: number, text: string): Promise<RawConnection[]> {
    const opened = await Promise.all(
      Array.from({ length: count }, () => RawConnection.open(this.service.url)),
    );
    for (const { socket } of opened) socket.pause();
    for (const connection of opened) connection.send(text);
    return opened;
  }

  /** Sends itself a document of 1 MiB; gives what asks for all of it. */
  async uploadFile(): Promise<Record<string, unknown>> {
    const { service, account } = this;
    const id = randomBytes(8).readBigInt64BE().toString();
    for (const filePart of [0, 1]) {
      const bytes = randomBytes(PART).toString('base64');
      await service.result(account, 'upload.saveFilePart', { fileId: id, filePart, bytes });
    }
    const sent = await service.result(account, 'messages.sendMedia', {
      peer: { _: 'inputPeerSelf' },
      message: '',
      media: {
        _: 'inputMediaUploadedDocument',
        file: { _: 'inputFile', id, parts: 2, name: 'large.bin', md5Checksum: '' },
        mimeType: 'application/octet-stream',
        attributes: [],
      },
    });
    const { document } = sent.updates[1].message.media;
    const location = {
      _: 'inputDocumentFileLocation',
      id: document.id,
      accessHash: document.accessHash,
      fileReference: document.fileReference,
      thumbSize: '',
    };
    return { location, offset: 0, limit: 2 * PART };
  }
}
