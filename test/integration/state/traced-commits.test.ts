import { expect, it } from 'vitest';
import { updatesKey } from '../../../src/redis/keys.ts';
import { commit } from '../../../src/state/commit.ts';
import { Transaction } from '../../../src/state/transaction.ts';
import type { CommitSpan } from '../../../src/tracing/trace.ts';
import { anEntry, redis, useRedis, ws } from '../../support/redis/commits.ts';

useRedis();

/** A span that writes down what it is told. */
function aSpan(parent: string): CommitSpan & { told: unknown[] } {
  const told: unknown[] = [];
  return {
    told,
    append(updates) {
      told.push(updates);
      return parent;
    },
    appended: () => void told.push('appended'),
    share: (transactions, other) => void told.push(transactions, other),
  };
}

function anUpdate(id: number, messengerAccountId: string | null): Transaction {
  const tx = new Transaction(redis, ws);
  tx.update({ messengerAccountId, userId: 5 }, { _: 'updateNewMessage', id } as never);
  return tx;
}

it('keeps the trace of each call with its own updates, among others of the same command', async () => {
  const spans = [aSpan('first'), aSpan('third'), aSpan('fourth')] as const;
  const empty = new Transaction(redis, ws);
  await Promise.all([
    commit(redis, anEntry(), anUpdate(1, 'acc_1'), { result: '1' }, '', spans[0]),
    commit(redis, anEntry(), anUpdate(2, 'acc_1'), { result: '2' }, ''),
    commit(redis, anEntry(), anUpdate(3, null), { result: '3' }, '', spans[1]),
    commit(redis, anEntry(), empty, { result: '4' }, '', spans[2]),
    commit(redis, anEntry(), anUpdate(5, null), { result: '5' }, ''),
  ]);
  const entries = (await redis.xrange(updatesKey(ws), '-', '+')).map(([, fields]) => fields);
  const head = (account: string) => ['k', 'RawUpdateNewMessage', 'a', account];
  const rest = (id: number) => ['u', `{"_":"updateNewMessage","id":${id}}`, 'p', ''];
  expect(entries).toEqual([
    [...head('acc_1'), ...rest(1), 't', 'first'],
    [...head('acc_1'), ...rest(2)],
    [...head(''), ...rest(3), 't', 'third', 's', '5'],
    [...head(''), 's', '5', ...rest(5)],
  ]);
  expect(spans[0].told).toEqual([1, 5, spans[0], 'appended']);
  expect(spans[1].told).toEqual([1, 5, spans[0], 'appended']);
  // It appends nothing.
  expect(spans[2].told).toEqual([5, spans[0], 'appended']);
});
