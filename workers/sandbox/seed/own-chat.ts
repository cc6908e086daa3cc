import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../src/tl/tl-json.ts';
import { userBox } from '../model/common/keys.ts';
import type { InvoiceRecord } from '../model/payments/invoices.ts';
import { toTlPeer } from '../model/peers/tl-peer.ts';
import { seedInvoice } from './invoice.ts';
import { type Seeding, storePrivate } from './seeding.ts';

/** Message 1 of the account's own chat: rich content, and an invoice of its bot, which is returned. */
export function seedOwnChat(seeding: Seeding): InvoiceRecord {
  const { call, self } = seeding;
  const peerId = toTlPeer({ kind: 'user', id: self.id });
  const key = userBox(self.id);
  const { record, shown } = seedInvoice(seeding);
  const message = {
    _: 'message',
    id: 1,
    fromId: peerId,
    peerId,
    savedPeerId: peerId,
    date: call.date,
    message: 'Welcome to Switchboard',
    richMessage: welcomeText(self.firstName),
    ...shown,
  } as const;
  storePrivate(seeding, key, message, { thread: key, invoiceId: record.id });
  return record;
}

function welcomeText(name: string): TlJson<tl.RawRichMessage> {
  const plain = (text: string) => ({ _: 'textPlain', text }) as const;
  const item = (text: string) => ({ _: 'pageListItemText', text: plain(text) }) as const;
  return {
    _: 'richMessage',
    blocks: [
      { _: 'pageBlockHeading1', text: plain('Welcome to Switchboard') },
      {
        _: 'pageBlockParagraph',
        text: {
          _: 'textConcat',
          texts: [plain('Hello '), { _: 'textBold', text: plain(name) }, plain('!')],
        },
      },
      {
        _: 'pageBlockList',
        items: [item('Call a method'), item('Follow the updates')],
      },
    ],
    photos: [],
    documents: [],
  };
}
