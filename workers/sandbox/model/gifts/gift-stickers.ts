import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { SUPPORT_USER_ID } from '../people/users.ts';

/** A picture of the catalogue of gifts: its document, and its bytes in base64. */
export interface GiftSticker {
  document: TlJson<tl.RawDocument>;
  bytes: string;
  /** The user and the id of the uploaded file that holds its bytes. */
  userId: number;
  fileId: string;
}

const SIDE = 512;
const FRAMES = 60;
const MADE_AT = 1_700_000_000;

const stickers = new Map<string, GiftSticker>();

/** The document of a catalogue picture: an animated disc of that colour. It is the same in every workspace. */
export function giftSticker(name: string, color: number): TlJson<tl.RawDocument> {
  const known = stickers.get(name);
  if (known) return known.document;
  const bytes = gzipSync(JSON.stringify(discAnimation(name, color)));
  const id = longOf(`document ${name}`);
  const document: TlJson<tl.RawDocument> = {
    _: 'document',
    id,
    accessHash: longOf(`access hash ${name}`),
    fileReference: Buffer.from(id).toString('base64'),
    date: MADE_AT,
    mimeType: 'application/x-tgsticker',
    size: bytes.length,
    dcId: 1,
    attributes: [
      { _: 'documentAttributeImageSize', w: SIDE, h: SIDE },
      { _: 'documentAttributeSticker', alt: '🎁', stickerset: { _: 'inputStickerSetEmpty' } },
      { _: 'documentAttributeFilename', fileName: 'gift.tgs' },
    ],
  };
  stickers.set(name, { document, bytes: bytes.toString('base64'), userId: SUPPORT_USER_ID, fileId: id });
  return document;
}

/** Every picture of the catalogue, so that its bytes can be read. */
export function listGiftStickers(): GiftSticker[] {
  return [...stickers.values()];
}

// A disc that grows and shrinks, as an animation in Lottie's JSON.
function discAnimation(nm: string, color: number) {
  const fill = [16, 8, 0].map((shift) => ((color >> shift) & 0xff) / 255);
  const at = (t: number, size: number) => ({ t, s: [size, size] });
  return {
    tgs: 1,
    v: '5.5.2',
    fr: 60,
    ip: 0,
    op: FRAMES,
    w: SIDE,
    h: SIDE,
    nm,
    layers: [
      {
        ty: 4,
        ip: 0,
        op: FRAMES,
        st: 0,
        ks: { p: { a: 0, k: [SIDE / 2, SIDE / 2] } },
        shapes: [
          {
            ty: 'el',
            p: { a: 0, k: [0, 0] },
            s: { a: 1, k: [at(0, 300), at(FRAMES / 2, 400), at(FRAMES, 300)] },
          },
          { ty: 'fl', c: { a: 0, k: [...fill, 1] }, o: { a: 0, k: 100 } },
        ],
      },
    ],
  };
}

function longOf(text: string): string {
  return (createHash('sha256').update(text).digest().readBigInt64BE() & 0x7fff_ffff_ffff_ffffn).toString();
}
