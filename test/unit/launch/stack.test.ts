import { expect, test } from 'vitest';
import { type Part, Stack } from '../../../src/launch/stack.ts';

/** A part that takes for ever to close, unless it is killed. */
function slowPart(name: string, ended: string[]): Part {
  let end = () => {};
  const closed = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    close: () => closed,
    kill() {
      ended.push(name);
      end();
    },
  };
}

test('whoever insists ends the part that is being closed, and those after it', async () => {
  const ended: string[] = [];
  const stack = new Stack();
  let isSaved = false;
  stack.add({
    async close() {
      isSaved = true;
    },
  });
  stack.add(slowPart('workers', ended));
  stack.add(slowPart('api', ended));
  const closed = stack.close();
  stack.hurry();
  await closed;
  expect(ended.sort()).toEqual(['api', 'workers']);
  expect(isSaved).toBe(true);
});
