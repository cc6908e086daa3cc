import { expectTypeOf, test } from 'vitest';
import {
  ApiError,
  type CallAnswer,
  type CallResult,
  Client,
  isApiError,
  type PreparedCall,
} from '../../../src/client/index.ts';

const client = new Client({ url: 'http://127.0.0.1:9', key: 'none' });
const account = client.account('ws_1', 'acc_1');
const peer = { _: 'inputPeerSelf' } as const;

/** What is in here is compiled and never run. */
function compiled(_: () => unknown): void {}

test('params, results and options are those of the method', () => {
  compiled(async () => {
    const { result, txid } = await account.messages.readMessageContents({ id: [1] });
    expectTypeOf(result).toEqualTypeOf<{ _: 'messages.affectedMessages'; pts: number; ptsCount: number }>();
    expectTypeOf(txid).toBeNumber();
    await account.messages.sendMessage(
      { peer, message: 'Hello' },
      { idempotencyKey: 'order-1', attempts: 3 },
    );
    await account.help.getSupport();
    await account.account.getTheme({ format: 'tdesktop', theme: { _: 'inputThemeSlug', slug: 'night' } });
    const blocked = await account.contacts.block({ id: peer });
    expectTypeOf(blocked.result).toEqualTypeOf<{ _: 'boolTrue' | 'boolFalse' }>();
    const read = await account.stories.readStories({ peer, maxId: 1 });
    expectTypeOf(read.result).toEqualTypeOf<{ _: 'vector'; items: number[] }>();
  });
});

test('a randomId that is derived may be left out, another not', () => {
  compiled(async () => {
    await account.messages.forwardMessages({ fromPeer: peer, toPeer: peer, id: [1] });
    await account.messages.sendMultiMedia({
      peer,
      multiMedia: [{ _: 'inputSingleMedia', message: '', media: { _: 'inputMediaEmpty' } }],
    });
    // @ts-expect-error: here it says which sponsored message it was.
    await account.messages.viewSponsoredMessage({});
  });
});

test('misuse does not compile', () => {
  compiled(async () => {
    // @ts-expect-error: the method is misspelt.
    await account.messages.sendMesage({ peer, message: 'Hello' });
    // @ts-expect-error: the namespace is misspelt.
    await account.mesages.sendMessage({ peer, message: 'Hello' });
    // @ts-expect-error: a param is missing.
    await account.messages.sendMessage({ peer });
    // @ts-expect-error: all params are missing.
    await account.messages.sendMessage();
    // @ts-expect-error: a param is misspelt.
    await account.messages.sendMessage({ peer, message: 'Hello', silet: true });
    // @ts-expect-error: a param has another type.
    await account.messages.readMessageContents({ id: ['1'] });
    // @ts-expect-error: the TL object is no peer.
    await account.messages.readMentions({ peer: { _: 'inputUserSelf' } });
    // @ts-expect-error: a member of a TL object is missing.
    await account.messages.readMentions({ peer: { _: 'inputPeerUser', userId: 1 } });
    // @ts-expect-error: a 64-bit number is a text.
    await account.messages.readMentions({ peer: { _: 'inputPeerUser', userId: 1, accessHash: 0 } });
    // @ts-expect-error: an option is misspelt.
    await account.messages.readMessageContents({ id: [1] }, { idempotencykey: 'a' });
    // @ts-expect-error: only an async call has a schedule.
    await account.messages.readMessageContents({ id: [1] }, { scheduleAt: new Date() });
    // @ts-expect-error: a member of the result is misspelt.
    (await account.messages.readMessageContents({ id: [1] })).result.ptscount;
    // @ts-expect-error: the client needs a key.
    new Client({ url: 'http://127.0.0.1:9' });
  });
});

test('the codes of errors are those of the method, and those that any call may meet', () => {
  compiled((error: unknown = null) => {
    if (!isApiError(error, 'messages.readMessageContents')) return;
    expectTypeOf(error).toExtend<ApiError>();
    if (error.code === 'rate_limited' || error.code === 'outcome_unknown') return;
    // @ts-expect-error: the code is misspelt.
    if (error.code === 'rate_limitted') return;
  });
  compiled((error: unknown = null) => {
    if (!isApiError(error, 'messages.sendMessage')) return;
    if (error.code === 'PEER_ID_INVALID' || error.code === 'FLOOD_WAIT') return;
    // @ts-expect-error: this method has no such error.
    if (error.code === 'THEME_TITLE_INVALID') return;
    new ApiError(error.problem);
  });
});

test('an async call has the answer of its method', () => {
  compiled(async () => {
    const call = await account.async.messages.readMessageContents({ id: [1] }, { scheduleAt: new Date() });
    expectTypeOf(await call.outcome()).toEqualTypeOf<CallAnswer<'messages.readMessageContents'>>();
    // @ts-expect-error: a param is misspelt.
    await account.async.messages.readMessageContents({ ids: [1] });
    // @ts-expect-error: so is the option.
    await account.async.messages.readMessageContents({ id: [1] }, { sheduleAt: new Date() });
  });
});

test('a bulk has the outcome of each call in its place', () => {
  compiled(async () => {
    const workspace = client.workspace('ws_1');
    const [read, sent] = await workspace.bulk([
      account.prepare.messages.readMessageContents({ id: [1] }),
      account.prepare.messages.sendMessage({ peer, message: 'Hello' }),
    ]);
    if (read.ok) expectTypeOf(read.result.ptsCount).toBeNumber();
    else if (isApiError(read.error)) expectTypeOf(read.error.code).toExtend<string>();
    // @ts-expect-error: the outcome may be an error.
    sent.txid;
    // @ts-expect-error: a call is made by `prepare`.
    await workspace.bulk([{ method: 'messages.sendMessage', params: {} }]);
    const [later] = await workspace.asyncBulk([account.prepare.messages.readMessageContents({ id: [1] })]);
    if (later.ok)
      expectTypeOf(await later.call.outcome()).toEqualTypeOf<CallAnswer<'messages.readMessageContents'>>();
  });
});

test('the result of a call whose method is not known is an object with a type tag', () => {
  compiled(async () => {
    const calls: PreparedCall[] = [account.prepare.messages.sendMessage({ peer, message: 'Hello' })];
    const [sent] = await client.workspace('ws_1').bulk(calls);
    if (sent?.ok) expectTypeOf(sent.result._).toExtend<string>();
    expectTypeOf((await client.asyncCall('call_1').outcome()).result._).toExtend<string>();
    expectTypeOf<CallResult<'contacts.block' | 'stories.readStories'>>().toEqualTypeOf<
      { _: 'boolTrue' | 'boolFalse' } | { _: 'vector'; items: number[] }
    >();
  });
});

test('updates have the object of their kind, and gaps have to be told apart', () => {
  compiled(async () => {
    const workspace = client.workspace('ws_1');
    for await (const item of workspace.updates({ kinds: ['RawUpdateNewMessage', 'call.failed'] })) {
      expectTypeOf(item.kind).toEqualTypeOf<'RawUpdateNewMessage' | 'call.failed' | 'stream.gap'>();
      // @ts-expect-error: a gap has no update.
      item.update;
      if (item.kind === 'call.failed') expectTypeOf(item.update.callId).toBeString();
      // @ts-expect-error: this kind was not asked for.
      if (item.kind === 'RawUpdateUserStatus') return;
    }
    // @ts-expect-error: there is no such kind.
    workspace.updates({ kinds: ['RawUpdateNewMesage'] });
  });
});

test('lists have their records and filters', () => {
  compiled(async () => {
    for await (const { userId } of client.list('messenger-accounts', { workspaceId: 'ws_1' }))
      expectTypeOf(userId).toEqualTypeOf<number | null>();
    // @ts-expect-error: there is no such list.
    client.list('accounts');
    // @ts-expect-error: this list has no such filter.
    client.list('organizations', { workspaceId: 'ws_1' });
  });
});
