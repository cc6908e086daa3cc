import { toCallRequest } from '../rig/management.ts';
import { type BenchCustomer, toPeer } from '../rig/seed-customer.ts';

/** Reads of one voice message each, in turn. */
export function readRequests({ callKey, reader, voiceMessageIds }: BenchCustomer): string[] {
  return voiceMessageIds.map((id) =>
    toCallRequest(callKey, reader, 'messages.readMessageContents', {
      id: [id],
    }),
  );
}

/** Messages from one account to the other, each a new one: the id that would make it a repetition comes from the call. */
export function sendRequests({ callKey, reader, sender }: BenchCustomer): string[] {
  const params = {
    peer: toPeer(reader),
    message: 'The quick brown fox jumps over the lazy dog.',
  };
  return [toCallRequest(callKey, sender, 'messages.sendMessage', params)];
}

/** Calls of the method that the bench can make hold its worker. */
export function holdRequests({ callKey, reader }: BenchCustomer): string[] {
  return [toCallRequest(callKey, reader, 'help.getSupport', {})];
}

/** Calls of the method that the bench can make hold its worker for longer. */
export function slowRequests({ callKey, reader }: BenchCustomer): string[] {
  return [toCallRequest(callKey, reader, 'updates.getState', {})];
}
