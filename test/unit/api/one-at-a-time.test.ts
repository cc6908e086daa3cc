import { expect, it } from 'vitest';
import { OneAtATime } from '../../../src/api/limits/one-at-a-time.ts';

it('refuses a second piece of work of a name until the first has ended, however it ends', async () => {
  const busy = new OneAtATime();
  let end: (error?: Error) => void = () => undefined;
  const work = () =>
    new Promise<string>((resolve, reject) => {
      end = (error) => (error === undefined ? resolve('done') : reject(error));
    });
  const first = busy.run('a', work);
  await expect(busy.run('a', work)).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await busy.run('b', async () => 'other')).toBe('other');
  end(new Error('failed'));
  await expect(first).rejects.toThrow('failed');
  const second = busy.run('a', work);
  end();
  expect(await second).toBe('done');
});
