import type { Held, KnownAccount, Truth } from '../history.ts';
import { digest } from './digest.ts';
import type { HttpClient } from './http-client.ts';
import { insist, insistOnCall, toPeer } from './management.ts';
import { toTold } from './read-answer.ts';

const PAGE = 100;

// biome-ignore lint/suspicious/noExplicitAny: updates are of any shape
type Json = any;

/** Reads a workspace's whole stream by catching up from its beginning. */
export async function readStream(clients: readonly HttpClient[], workspace: string): Promise<Truth[]> {
  const updates: Truth[] = [];
  for (let offset = '-1'; ; ) {
    const path = `/v1/workspaces/${workspace}/updates?offset=${offset}`;
    const { body, headers } = await insist(clients, 'GET', path);
    updates.push(...(body as Json[]).map((update) => toTruth(workspace, update)));
    offset = String(headers['stream-next-offset']);
    if (headers['stream-up-to-date'] === 'true') return updates;
  }
}

/** Reads every message that an account has with the others of its workspace, by its methods. */
export async function readBox(
  clients: readonly HttpClient[],
  own: KnownAccount,
  others: readonly KnownAccount[],
): Promise<Held[]> {
  const { workspace, account } = own;
  const held: Held[] = [];
  for (const other of others) {
    for (let offsetId = 0; ; ) {
      const window = { offsetId, offsetDate: 0, addOffset: 0, limit: PAGE, maxId: 0, minId: 0, hash: '0' };
      const params = { peer: toPeer(other), ...window };
      const { messages } = await insistOnCall(clients, own, 'messages.getHistory', params);
      for (const { id, message } of messages)
        held.push({ type: 'message', workspace, account, id, text: message });
      if (messages.length < PAGE) break;
      offsetId = messages.at(-1).id;
    }
  }
  return held;
}

function toTruth(workspace: string, entry: Json): Truth {
  const { offset, kind, messengerAccountId: account, txid, update } = entry;
  const isPrivate = update.message?.peerId?._ === 'peerUser';
  const hasPts = !kind.includes('Channel') && Number.isInteger(update.pts);
  return {
    type: 'update',
    ...{ workspace, offset, kind, account, txid },
    digest: digest(entry),
    pts: hasPts ? update.pts : null,
    ptsCount: hasPts ? update.ptsCount : null,
    text: isPrivate ? (update.message.message ?? null) : null,
    messageId: isPrivate ? update.message.id : null,
    peerUserId: isPrivate ? update.message.peerId.userId : null,
    heard: kind === 'RawUpdateReadMessagesContents' ? update.messages : [],
    end: kind.startsWith('call.') ? toEnd(update) : null,
  };
}

function toEnd({ callId, status = 'succeeded', error, result }: Json): Truth['end'] {
  return { callId, status, code: error?.code ?? 'ok', result: toTold({ result }).result };
}
