import { afterAll, beforeAll, expect, it } from 'vitest';
import { peerOf, Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

const SELF = { _: 'inputPeerSelf' };
const COMET = '5170000000000000002';

const byMessage = (msgId: number) => ({ _: 'inputSavedStarGiftUser', msgId });

async function giftsOf(account: SandboxAccount) {
  const params = { peer: SELF, offset: '', limit: 100 };
  return sandbox.call(account, 'payments.getSavedStarGifts', params);
}

async function onResale(account: SandboxAccount) {
  const params = { giftId: COMET, offset: '', limit: 100 };
  return sandbox.call(account, 'payments.getResaleStarGifts', params);
}

it('gives an account that is reset new gifts for those it had', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const [offered, kept] = (await giftsOf(ada)).gifts;
  await sandbox.call(ada, 'payments.transferStarGift', {
    stargift: byMessage(kept.msgId),
    toId: peerOf(bob),
  });
  const told = [];
  for (let done = false; !done; ) {
    ({ done } = await sandbox.order(ada, 'resetAccount'));
    told.push(done);
  }
  const after = await giftsOf(ada);
  expect(after.count).toBe(3);
  expect(after.gifts.map(({ msgId }: { msgId: number }) => msgId)).toEqual([5, 4, 3]);
  expect((await giftsOf(bob)).count).toBe(4);
  const { count, gifts } = await onResale(bob);
  expect(count).toBe(2);
  expect(gifts.map(({ slug }: { slug: string }) => slug)).not.toContain(offered.gift.slug);
  expect(
    await sandbox.refusal(bob, 'payments.getSavedStarGift', {
      stargift: [{ _: 'inputSavedStarGiftSlug', slug: offered.gift.slug }],
    }),
  ).toBe('STARGIFT_SLUG_INVALID');
});

it('gives a gift that is given away twice at once to one of the two', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const carol = await sandbox.anAccount('Carol', { workspaceId: ada.workspaceId });
  const [, kept] = (await giftsOf(ada)).gifts;
  const give = (to: SandboxAccount) =>
    sandbox.call(ada, 'payments.transferStarGift', { stargift: byMessage(kept.msgId), toId: peerOf(to) });
  const outcomes = await Promise.allSettled([give(bob), give(carol)]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const counts = await Promise.all([ada, bob, carol].map(async (one) => (await giftsOf(one)).count));
  expect(counts[0]).toBe(2);
  expect((counts[1] ?? 0) + (counts[2] ?? 0)).toBe(7);
});

it('counts on resale what the list has, whatever is priced at the same time', async () => {
  const [ada, bob] = await sandbox.twoAccounts();
  const mine = await Promise.all([ada, bob].map(async (one) => (await giftsOf(one)).gifts.slice(0, 2)));
  const price = (owner: number, place: number, amount: number) =>
    sandbox.call(owner === 0 ? ada : bob, 'payments.updateStarGiftPrice', {
      stargift: byMessage(mine[owner]?.[place].msgId),
      resellAmount: { _: 'starsAmount', amount: `${amount}`, nanos: 0 },
    });
  await Promise.all(
    [300, 0, 400, 0, 500, 600].flatMap((amount) => [
      price(0, 0, amount),
      price(0, 1, amount),
      price(1, 0, amount),
    ]),
  );
  const { count, gifts, counters } = await onResale(ada);
  expect(gifts).toHaveLength(count);
  const models = counters.filter((one: { attribute: { _: string } }) => one.attribute._.endsWith('Model'));
  expect(models.reduce((sum: number, one: { count: number }) => sum + one.count, 0)).toBe(count);
});
