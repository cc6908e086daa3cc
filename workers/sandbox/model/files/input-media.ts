import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { addDocument } from './documents.ts';
import { findGivenDocument } from './given-document.ts';

type InputMedia = TlJson<tl.TypeInputMedia>;
type Media = TlJson<tl.TypeMessageMedia>;
type Document = TlJson<tl.RawDocument>;
type MediaOptions = Pick<TlJson<tl.RawInputMediaDocument>, 'spoiler' | 'ttlSeconds'>;

/**
 * Converts the sender's input to a message's medium. Errors: `MEDIA_EMPTY`, `MEDIA_INVALID`, `DOCUMENT_INVALID`,
 * `PREMIUM_ACCOUNT_REQUIRED`.
 */
export async function toMedia(call: CallContext, media: InputMedia): Promise<Media> {
  switch (media._) {
    case 'inputMediaEmpty':
      throw new MessengerError('MEDIA_EMPTY');
    case 'inputMediaUploadedDocument': {
      const document = await addDocument(call, media.file, media.mimeType, media.attributes);
      return toDocumentMedia(document, media);
    }
    case 'inputMediaDocument': {
      if (media.id._ !== 'inputDocument') throw new MessengerError('DOCUMENT_INVALID');
      const found = await findGivenDocument(call, media.id);
      if (!found) throw new MessengerError('DOCUMENT_INVALID');
      return toDocumentMedia(found.document, media);
    }
    case 'inputMediaTodo':
      throw new MessengerError('PREMIUM_ACCOUNT_REQUIRED');
    default:
      throw new MessengerError('MEDIA_INVALID');
  }
}

function toDocumentMedia(document: Document, { spoiler, ttlSeconds }: MediaOptions): Media {
  const audio = document.attributes.find((attribute) => attribute._ === 'documentAttributeAudio');
  const video = document.attributes.find((attribute) => attribute._ === 'documentAttributeVideo');
  return {
    _: 'messageMediaDocument',
    document,
    ...(audio?.voice ? { voice: true } : {}),
    ...(video ? { video: true } : {}),
    ...(video?.roundMessage ? { round: true } : {}),
    ...(spoiler ? { spoiler } : {}),
    ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
  };
}
