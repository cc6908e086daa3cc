import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeFrame, encodeFrame } from '../../../src/queue/frame.ts';

it('gives back the reply that went into a frame, whatever the body', () => {
  const headers = fc.option(fc.dictionary(fc.string({ minLength: 1 }), fc.string()), { nil: undefined });
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 599 }), fc.string(), headers, (status, body, extra) => {
      const reply = decodeFrame(encodeFrame(status, '0001_0001', body, extra));
      expect(reply).toEqual({
        status,
        offset: '0001_0001',
        headers: { ...extra },
        body,
      });
    }),
  );
});

it('has no offset for a workspace without updates', () => {
  expect(decodeFrame(encodeFrame(200, '', '{}')).offset).toBeNull();
});

it('takes a frame of another release for an outcome that is unknown, and never throws', () => {
  const unknown = { status: 502, offset: null, body: expect.stringContaining('"outcome_unknown"') };
  for (const frame of ['', '200', 'v9;{"status":200}', '200 - {broken\n{}', 'abc -\n{}', '200 -'])
    expect(decodeFrame(frame)).toMatchObject(unknown);
  fc.assert(fc.property(fc.string(), (frame) => void decodeFrame(frame)));
});
