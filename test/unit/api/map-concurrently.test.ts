import { expect, it } from 'vitest';
import { mapConcurrently } from '../../../src/api/limits/map-concurrently.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

it('does the same with each item once, at most so many at a time, and gives the results in their order', async () => {
  const begun: string[] = [];
  let [running, most] = [0, 0];
  const results = await mapConcurrently(['a', 'b', 'c', 'd', 'e'], 2, async (item, index) => {
    begun.push(item);
    running += 1;
    most = Math.max(most, running);
    for (let turns = index; turns < 5; turns += 1) await turn();
    running -= 1;
    return `${item}${index}`;
  });
  expect(results).toEqual(['a0', 'b1', 'c2', 'd3', 'e4']);
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(most).toBe(2);
});
