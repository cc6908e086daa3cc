// The typed client, `switchboard/client`. It uses `fetch` and WebCrypto only, so it runs in Node and in browsers.

export type { MethodName } from '../tl/tl-json.ts';
export type { AccountOutcome, DeletionOutcome, NewAccount } from './accounts.ts';
export type { Account } from './calls/account.ts';
export { AsyncCall } from './calls/async-call.ts';
export type { BulkOutcome } from './calls/bulk.ts';
export type { CallAnswer, PreparedCall } from './calls/call-answer.ts';
export type { CallParams, CallResult } from './calls/call-types.ts';
export { Client } from './client.ts';
export { ApiError, type ErrorCode, isApiError, NoAnswerError, type ProblemDocument } from './errors.ts';
export type * from './lists.ts';
export type { AsyncCallOptions, CallOptions, ClientOptions, TryOptions } from './options.ts';
export type * from './records.ts';
export type { UpdatesOptions } from './updates/follow-updates.ts';
export type { StreamGap, StreamItem, StreamUpdate, UpdateKind } from './updates/stream-types.ts';
export { verifyWebhook, WebhookError, type WebhookEvent, type WebhookRequest } from './verify-webhook.ts';
export { Workspace } from './workspace.ts';
