import type { KnownAccount } from '../history.ts';
import type { HttpClient } from './http-client.ts';
import { insist, insistOnCall, toPeer } from './management.ts';

/** A workspace of the run: accounts that talk to each other, and a voice message they can send on. */
export interface Scene {
  workspace: string;
  accounts: KnownAccount[];
  voice: object;
}

/** Makes workspaces over the API. */
export async function seedScenes(
  clients: readonly HttpClient[],
  counts: { workspaces: number; accounts: number },
): Promise<Scene[]> {
  const { body: organization } = await insist(clients, 'POST', '/v1/organizations', { name: 'Torture' });
  const scenes: Scene[] = [];
  for (let i = 0; i < counts.workspaces; i += 1) {
    const wanted = { name: `Workspace ${i}`, organizationId: organization.id };
    const { body: workspace } = await insist(clients, 'POST', '/v1/workspaces', wanted);
    const accounts: KnownAccount[] = [];
    for (let j = 0; j < counts.accounts; j += 1) {
      const one = { name: `Account ${j}`, workspaceId: workspace.id, driver: 'sandbox' };
      const { body: made } = await insist(clients, 'POST', '/v1/messenger-accounts', one);
      accounts.push({ type: 'account', workspace: workspace.id, account: made.id, userId: made.userId });
    }
    scenes.push({ workspace: workspace.id, accounts, voice: await uploadVoice(clients, accounts) });
  }
  return scenes;
}

async function uploadVoice(clients: readonly HttpClient[], accounts: KnownAccount[]): Promise<object> {
  const [from, to] = accounts as [KnownAccount, KnownAccount];
  const bytes = Buffer.alloc(1_024, 7).toString('base64');
  await insistOnCall(clients, from, 'upload.saveFilePart', { fileId: '1001', filePart: 0, bytes });
  const sent = await insistOnCall(clients, from, 'messages.sendMedia', {
    peer: toPeer(to),
    media: {
      _: 'inputMediaUploadedDocument',
      file: { _: 'inputFile', id: '1001', parts: 1, name: 'voice.ogg', md5Checksum: '' },
      mimeType: 'audio/ogg',
      attributes: [{ _: 'documentAttributeAudio', voice: true, duration: 1 }],
    },
    message: 'the first voice message',
  });
  const { id, accessHash, fileReference } = sent.updates[1].message.media.document;
  return { _: 'inputMediaDocument', id: { _: 'inputDocument', id, accessHash, fileReference } };
}
