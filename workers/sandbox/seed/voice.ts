import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../src/tl/tl-json.ts';
import { longOf } from '../model/bots/callbacks.ts';
import { historyKey, messagesKey } from '../model/boxes/keys.ts';
import { findMessages, type StoredMessage } from '../model/boxes/messages.ts';
import { SEQ, userBox } from '../model/common/keys.ts';
import { takeMessageId } from '../model/common/take-ids.ts';
import { unreadKey } from '../model/conversations/keys.ts';
import type { DocumentRecord } from '../model/files/documents.ts';
import { DOCUMENTS, fileKey } from '../model/files/keys.ts';
import { SUPPORT_USER_ID } from '../model/people/users.ts';
import { raiseLastMessageId, type Seeding, storePrivate } from './seeding.ts';

/** A voice message of the contact. */
export const SEEDED_VOICE = 6;

// The first message of the contact's box.
const TWIN = 1;
const MADE_AT = 1_700_000_000;

// A second of silence, as Opus in Ogg.
const BYTES =
  'T2dnUwACAAAAAAAAAAABAAAAAAAAAByf9dkBE09wdXNIZWFkAQE4AYC7AAAAAABPZ2dTAAAAAAAAAAAAAAEAAAABAAAAh1hgGgEQT3B1c1RhZ3MAAAAA' +
  'AAAAAE9nZ1MABDi1AAAAAAAAAQAAAAIAAAAF6ALnCA4ODg4ODg4O+wb//v/+//7//v/+//77Bv/+//7//v/+//7//vsG//7//v/+//7//v/++wb//v/+' +
  '//7//v/+//77Bv/+//7//v/+//7//vsG//7//v/+//7//v/++wb//v/+//7//v/+//77Bv/+//7//v/+//7//g==';

/** A voice message of the contact that the account has read but not heard. The contact is notified when it is heard. */
export async function seedVoice(seeding: Seeding): Promise<void> {
  const { call, self, ids, again } = seeding;
  const { tx, date } = call;
  const box = userBox(ids.contactId);
  const twin = again ? await findTwin(seeding) : TWIN;
  const document = addVoice(seeding);
  const contact = { _: 'peerUser', userId: ids.contactId } as const;
  const content = {
    _: 'message',
    fromId: contact,
    date,
    message: '',
    mediaUnread: true,
    media: { _: 'messageMediaDocument', document, voice: true },
  } as const;
  const heard = { ...content, id: SEEDED_VOICE, peerId: contact };
  storePrivate(seeding, `u${ids.contactId}`, heard, { twin });
  tx.hset(unreadKey(self.id), `read:u${ids.contactId}`, String(SEEDED_VOICE));
  const sent = { ...content, id: twin, out: true, peerId: { _: 'peerUser', userId: self.id } } as const;
  tx.hset(messagesKey(box), twin, { message: sent, twin: SEEDED_VOICE } satisfies StoredMessage);
  tx.zadd(historyKey(ids.contactId, `u${self.id}`), twin, twin);
  if (!again) for (const counter of ['msg', 'pts']) tx.hset(SEQ, `${counter}:${box}`, String(TWIN));
}

// Replaces the previous one; in an account of an earlier release, that id may belong to a message that somebody sent to the contact.
async function findTwin({ call, self, ids }: Seeding): Promise<number> {
  const box = userBox(ids.contactId);
  const [before] = await findMessages(call, userBox(self.id), [SEEDED_VOICE]);
  const twin = before?.twin ?? TWIN;
  const [there] = await findMessages(call, box, [twin]);
  if (there && !there.message.out) return takeMessageId(call, box);
  await raiseLastMessageId(call, box, twin);
  return twin;
}

// The same in every workspace, like the pictures of gifts.
function addVoice({ call: { tx } }: Seeding): TlJson<tl.RawDocument> {
  const id = longOf('voice message');
  const size = Buffer.byteLength(BYTES, 'base64');
  const file = fileKey(SUPPORT_USER_ID, id);
  const document: TlJson<tl.RawDocument> = {
    _: 'document',
    id,
    accessHash: longOf('access hash of the voice message'),
    fileReference: Buffer.from(id).toString('base64'),
    date: MADE_AT,
    mimeType: 'audio/ogg',
    size,
    dcId: 1,
    attributes: [{ _: 'documentAttributeAudio', voice: true, duration: 1 }],
  };
  tx.hset(DOCUMENTS, id, { document, file, partSize: size } satisfies DocumentRecord);
  tx.hset(file, '0', BYTES);
  return document;
}
