import { newId } from '../../../src/ids.ts';
import type { PendingCall, SentBatch } from '../../../src/queue/submit/pending-call.ts';
import type { CallBatch, WireCall } from '../../../src/queue/wire.ts';

/** A call as it travels, of an account and a workspace of its own. */
export function aWireCall(more: Partial<WireCall> = {}): WireCall {
  const account = { id: newId('messengerAccount'), userId: 1, bot: false, strictPeers: false, faults: false };
  return {
    id: newId('call'),
    number: 1,
    workspaceId: newId('workspace'),
    account,
    driver: 'sandbox',
    method: 'help.getSupport',
    kind: 'method',
    params: {},
    acceptedAt: 0,
    notAfter: Date.now() + 60_000,
    ...more,
  };
}

type Changeable = { -readonly [Member in keyof PendingCall]: PendingCall[Member] };

/** A call that waits in an API process for its turn. */
export function aPendingCall(more: Partial<PendingCall> = {}): Changeable {
  const call = aWireCall();
  return {
    call,
    workspaceId: call.workspaceId,
    bytes: 100,
    lane: 'shared',
    shard: 0,
    inTurn: true,
    state: 'queued',
    batch: null,
    hasSlot: false,
    isMoved: false,
    hasPermit: false,
    permits: 1,
    cost: 1,
    deadline: Number.POSITIVE_INFINITY,
    trace: undefined,
    resolve: () => undefined,
    reject: () => undefined,
    ...more,
  };
}

/** A batch of an API process, as that remembers it, sent so many milliseconds ago. */
export function aSentBatch(agoMs = 0): SentBatch {
  return {
    id: newId('call'),
    ledgerExpiresAt: Date.now() + 120_000,
    unanswered: 1,
    sentAt: performance.now() - agoMs,
    calls: [],
  };
}

/** What the job of some calls carries. */
export function aCallBatch(v: number, calls: WireCall[]): CallBatch {
  return { v, id: newId('call'), replyTo: 'replies', ledgerExpiresAt: Date.now() + 120_000, calls };
}
