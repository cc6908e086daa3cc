import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { api, append, path, useUpdateStream } from '../../support/api/update-stream.ts';
import { eventually } from '../../support/eventually.ts';
import { Crowd, getRequest } from '../../support/strangers/crowd.ts';

// As many as wait on one connection.
const PER_CONNECTION = 15;
const POLLS = 40 * PER_CONNECTION;

useUpdateStream();

test('many long polls that an update ends are answered one after another, and others have their turns in between', async () => {
  const crowd = new Crowd();
  onTestFinished(() => crowd.leave());
  const request = getRequest(`${path}?offset=now&live=long-poll&kind=RawUpdateConfig`, api.rootKey);
  for (let count = 0; count < POLLS; count += PER_CONNECTION)
    await crowd.send(api.url, request.repeat(PER_CONNECTION));
  const waiting = () => api.deps.updates.lag.readers;
  await eventually(() => waiting() === POLLS);
  await append(1);
  let mostAtOnce = 0;
  for (let before = waiting(); before > 0; before = waiting()) {
    await turn();
    mostAtOnce = Math.max(mostAtOnce, before - waiting());
  }
  expect(mostAtOnce).toBeLessThanOrEqual(4);
});
