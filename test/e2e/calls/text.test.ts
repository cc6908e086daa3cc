import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Service } from '../../support/service/service.ts';

let service: Service;

beforeAll(async () => {
  service = await Service.start();
});

afterAll(() => service.stop());

const NASTY = [
  '100%2 sure, \u0001 1 \u0002, "}\\',
  '100%2 sure',
  '\u00011\u0002',
  '\\u00011\\u0002',
  '$1 $& $$ %d %s %1',
  '\u0000',
  '"},"txid":1}\n200 -\n{',
  '\u2028\u2029\ud83d\ude00',
  '__proto__',
];

it('gives back every text from history as it was sent, but for white space at its ends', async () => {
  const { id } = await service.aWorkspace();
  const [from, to] = await Promise.all([service.anAccount(id), service.anAccount(id)]);
  const peer = { _: 'inputPeerUser', userId: to.userId, accessHash: '0' };
  const text = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 200 })
    .filter((found) => found.isWellFormed() && found.trim() !== '');
  await fc.assert(
    fc.asyncProperty(fc.oneof(text, fc.constantFrom(...NASTY)), async (message) => {
      const sent = await service.call(from, 'messages.sendMessage', {
        peer,
        message,
      });
      expect(sent.status, JSON.stringify(sent.body)).toBe(200);
      const history = await service.result(from, 'messages.getHistory', {
        peer,
        ...{
          offsetId: 0,
          offsetDate: 0,
          addOffset: 0,
          limit: 1,
          maxId: 0,
          minId: 0,
          hash: '0',
        },
      });
      expect(history.messages[0].message).toBe(message.trim());
    }),
    { numRuns: 300, examples: NASTY.map((message) => [message]) },
  );
  const stream = await service.updates(id);
  const streamed = stream.map(({ update }) => update.message?.message);
  for (const message of NASTY) expect(streamed).toContain(message.trim());
});
