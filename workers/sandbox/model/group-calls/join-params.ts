import type { tl } from '@mtcute/core';
import * as z from 'zod';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { MessengerError } from '../../../driver.ts';
import { parseGivenJson } from '../common/given-json.ts';

/** A client's description of its media when it joins a group call (core.telegram.org/api/group-calls). */
export interface JoinParams {
  /** The source id of its audio (SSRC), a signed integer as in TL. */
  source: number;
  /** The source ids of its video; empty without video. */
  sourceGroups: TlJson<tl.RawGroupCallParticipantVideoSourceGroup>[];
}

const source = z.number().int().min(-0x8000_0000).max(0xffff_ffff);

// TL texts are UTF-8, which has no halves of characters.
const semantics = z
  .string()
  .max(16)
  .refine((text) => text.isWellFormed());

const joinParams = z.object({
  ssrc: source,
  'ssrc-groups': z
    .array(z.object({ semantics, sources: z.array(source).min(1).max(16) }))
    .max(8)
    .default([]),
});

/** Reads the params of a join. Error: `DATA_JSON_INVALID`. */
export function readJoinParams(data: string): JoinParams {
  const parsed = joinParams.safeParse(parseGivenJson(data));
  if (!parsed.success) throw new MessengerError('DATA_JSON_INVALID');
  return {
    source: parsed.data.ssrc | 0,
    sourceGroups: parsed.data['ssrc-groups'].map(({ semantics, sources }) => ({
      _: 'groupCallParticipantVideoSourceGroup',
      semantics,
      sources: sources.map((one) => one | 0),
    })),
  };
}
