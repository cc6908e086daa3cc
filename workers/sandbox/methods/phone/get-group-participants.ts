import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { forumCall } from '../../examples/seeded-things.ts';
import { pageParticipants, viewParticipants } from '../../model/group-calls/call-participants.ts';
import { readCounts, resolveGroupCall } from '../../model/group-calls/group-calls.ts';
import { callSourcesKey } from '../../model/group-calls/keys.ts';
import { TooManyNaming } from '../../model/peers/require-named-peer.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';

const NAMED_MAX = 100;

/** A page of a group call's participants, or with `ids` or `sources` those participants. */
export const getGroupParticipants = defineMethod('phone.getGroupParticipants', async (params, call) => {
  const { record } = await resolveGroupCall(call, params.call, 'GROUPCALL_INVALID');
  const named = params.ids.length + params.sources.length > 0;
  const [page, counts] = await Promise.all([
    named
      ? findNamed(call, record.id, params)
      : pageParticipants(call, record.id, params.offset, params.limit),
    readCounts(call, record.id),
  ]);
  return {
    _: 'phone.groupParticipants',
    count: counts.participants,
    ...(await viewParticipants(call, record.id, page.keys)),
    nextOffset: page.nextOffset,
    version: counts.version,
  };
});

async function findNamed(
  call: CallContext,
  callId: string,
  { ids, sources }: MethodParams<'phone.getGroupParticipants'>,
): Promise<{ keys: string[]; nextOffset: string }> {
  const fields = sources.slice(0, NAMED_MAX).map(String);
  const [byId, bySource] = await Promise.all([
    Promise.all(ids.slice(0, NAMED_MAX).map((peer) => findKey(call, peer))),
    fields.length === 0 ? [] : call.tx.read.hmget(call.tx.key(callSourcesKey(callId)), ...fields),
  ]);
  const keys = [...byId, ...bySource].filter((key): key is string => key !== null);
  return { keys: [...new Set(keys)], nextOffset: '' };
}

async function findKey(
  call: CallContext,
  peer: MethodParams<'phone.getGroupParticipants'>['ids'][number],
): Promise<string | null> {
  try {
    return (await resolvePeer(call, peer)).key;
  } catch (error) {
    if (error instanceof MessengerError && !(error instanceof TooManyNaming)) return null;
    throw error;
  }
}

export const example: Example<'phone.getGroupParticipants'> = async (context) => ({
  call: await forumCall(context),
  ids: [],
  sources: [],
  offset: '',
  limit: 20,
});

export const difference = 'Only the first 100 `ids`, and the first 100 `sources`, count.';
