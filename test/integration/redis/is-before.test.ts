import fc from 'fast-check';
import { expect, it } from 'vitest';
import { IS_BEFORE } from '../../../src/redis/is-before.ts';
import { Script } from '../../../src/redis/script.ts';
import { redis, useRedis } from '../../support/redis/commits.ts';

useRedis();

const compareAll = new Script(`
${IS_BEFORE}
local answer = {}
for i = 1, #ARGV, 2 do answer[#answer + 1] = isBefore(ARGV[i], ARGV[i + 1]) and 1 or 0 end
return answer
`);

/** Two texts that begin alike. */
const pair = fc
  .record({
    head: fc.oneof(fc.constantFrom(15, 16, 17, 31, 32), fc.nat({ max: 40 })),
    tails: fc.tuple(fc.uint8Array({ maxLength: 20 }), fc.uint8Array({ maxLength: 20 })),
  })
  .map(({ head, tails }) => tails.map((tail) => Buffer.concat([Buffer.alloc(head, 'c'), tail])));

it('a script orders texts by their bytes, whatever these are and wherever they differ', async () => {
  const property = fc.asyncProperty(fc.array(pair, { minLength: 1, maxLength: 50 }), async (pairs) => {
    const orders = pairs.flatMap(([a, b]) => [a, b, b, a] as Buffer[]);
    const expected = pairs.flatMap(([a, b]) => {
      const order = Buffer.compare(a as Buffer, b as Buffer);
      return [order < 0 ? 1 : 0, order > 0 ? 1 : 0];
    });
    expect(await compareAll.run(redis, [], orders)).toEqual(expected);
  });
  await fc.assert(property, { numRuns: 100 });
});

it('so that texts are in the order of a sorted set, not in that of a language', async () => {
  const texts = ['9a', 'a9', 'aa', 'ab', 'B', 'cd', 'ch', 'c', '', '_', 'ä', 'z'];
  await redis.zadd('texts', ...texts.flatMap((text) => [0, text]));
  const order = await redis.zrange('texts', '-', '+', 'BYLEX');
  const pairs = order.flatMap((a) => order.map((b) => [a, b] as const));
  const expected = pairs.map(([a, b]) => (order.indexOf(a) < order.indexOf(b) ? 1 : 0));
  expect(await compareAll.run(redis, [], pairs.flat())).toEqual(expected);
});
