import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { SELF } from '../../examples/input-peers.ts';
import { inputFile } from '../../examples/seeded-things.ts';
import { toMedia } from '../../model/files/input-media.ts';
import { requireWriteAccess } from '../../model/peers/require-write-access.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';

/** Makes a medium from uploaded parts without sending it. It can then be sent by its id, alone or in an album. */
export const uploadMedia = defineMethod('messages.uploadMedia', async ({ peer: input, media }, call) => {
  const isNowhere = input._ === 'inputPeerEmpty' && call.account.bot;
  if (!isNowhere) requireWriteAccess(call, await resolvePeer(call, input));
  return toMedia(call, media);
});

export const example: Example<'messages.uploadMedia'> = (context) => ({
  peer: SELF,
  media: {
    _: 'inputMediaUploadedDocument',
    file: inputFile(context, 'hello.txt'),
    mimeType: 'text/plain',
    attributes: [],
  },
});

export const difference = 'Documents only, without thumbnails.';
