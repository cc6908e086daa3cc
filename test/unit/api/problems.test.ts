import { once } from 'node:events';
import { finished, PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { toProblem } from '../../../src/api/plugins/problems.ts';

it('takes an answer that could not be sent to its end for canceled, not for a failure', async () => {
  const answer = new PassThrough();
  const ended = new Promise((resolve) => finished(answer, resolve));
  answer.destroy();
  await once(answer, 'close');
  expect(toProblem(await ended)).toMatchObject({ code: 'canceled' });
  expect(toProblem(new Error('a defect'))).toMatchObject({ code: 'internal' });
});
