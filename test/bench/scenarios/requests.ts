import { toPeer } from '../rig/furnish-customer.ts';
import { toCallRequest } from '../rig/management.ts';
import type { Rig } from '../rig/open-rig.ts';

/** Reads of one voice message each, in turn. */
export function readRequests({ customer }: Rig): string[] {
  return customer.voiceMessageIds.map((id) =>
    toCallRequest(customer.callKey, customer.reader, 'messages.readMessageContents', { id: [id] }),
  );
}

/** Messages from one account to the other, each a new one: the id that would make it a repetition comes from the call. */
export function sendRequests({ customer }: Rig): string[] {
  const params = { peer: toPeer(customer.reader), message: 'The quick brown fox jumps over the lazy dog.' };
  return [toCallRequest(customer.callKey, customer.sender, 'messages.sendMessage', params)];
}
