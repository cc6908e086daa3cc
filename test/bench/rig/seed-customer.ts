import type { BenchAccount, Management } from './management.ts';

/** A customer with a workspace in which two accounts talk to each other. */
export interface BenchCustomer {
  organizationId: string;
  /** A key that may make calls. */
  callKey: string;
  reader: BenchAccount;
  sender: BenchAccount;
  /** Voice messages in the reader's chat with the sender, by the reader's own ids. */
  voiceMessageIds: number[];
}

const VOICE_BYTES = 2_048;

/** Makes a customer over the API, with real voice messages to read; in an organization of its own where none is given. */
export async function seedCustomer(
  management: Management,
  name: string,
  options: { organizationId?: string; voiceMessages?: number } = {},
): Promise<BenchCustomer> {
  const { voiceMessages = 50 } = options;
  const organizationId = options.organizationId ?? (await management.createOrganization(name));
  const workspaceId = await management.createWorkspace(name, organizationId);
  const reader = await management.createAccount('reader', workspaceId);
  const sender = await management.createAccount('sender', workspaceId);
  const callKey = await management.createCallKey(organizationId);
  for (let index = 1; index <= voiceMessages; index += 1) await sendVoice(management, sender, reader, index);
  const voiceMessageIds = await listVoiceMessageIds(management, reader, sender);
  if (voiceMessageIds.length !== voiceMessages) {
    throw new Error(`${voiceMessageIds.length} voice messages arrived, not ${voiceMessages}.`);
  }
  return { organizationId, callKey, reader, sender, voiceMessageIds };
}

/** How one account names another in params. */
export function toPeer(account: BenchAccount): object {
  return { _: 'inputPeerUser', userId: account.userId, accessHash: '0' };
}

async function sendVoice(
  management: Management,
  from: BenchAccount,
  to: BenchAccount,
  index: number,
): Promise<void> {
  const fileId = String(1_000 + index);
  const bytes = Buffer.alloc(VOICE_BYTES, index).toString('base64');
  await management.call(from, 'upload.saveFilePart', {
    fileId,
    filePart: 0,
    bytes,
  });
  await management.call(from, 'messages.sendMedia', {
    peer: toPeer(to),
    media: {
      _: 'inputMediaUploadedDocument',
      file: {
        _: 'inputFile',
        id: fileId,
        parts: 1,
        name: 'voice.ogg',
        md5Checksum: '',
      },
      mimeType: 'audio/ogg',
      attributes: [{ _: 'documentAttributeAudio', voice: true, duration: 1 }],
    },
    message: '',
    randomId: fileId,
  });
}

async function listVoiceMessageIds(
  management: Management,
  reader: BenchAccount,
  sender: BenchAccount,
): Promise<number[]> {
  const history = await management.call<{
    messages: { id: number; media?: object }[];
  }>(reader, 'messages.getHistory', {
    peer: toPeer(sender),
    offsetId: 0,
    offsetDate: 0,
    addOffset: 0,
    limit: 100,
    maxId: 0,
    minId: 0,
    hash: '0',
  });
  return history.messages.filter(({ media }) => media !== undefined).map(({ id }) => id);
}
