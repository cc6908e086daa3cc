import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readIdempotencyKey } from '../../src/api/calls/idempotency-key.ts';
import { readPrefer } from '../../src/api/calls/prefer.ts';
import { readSchedule } from '../../src/api/calls/schedule.ts';
import { asksFor } from '../../src/api/headers/accept.ts';
import { matchesEtag } from '../../src/api/headers/matches-etag.ts';
import { idFilter, listQuery } from '../../src/api/lists/list-query.ts';
import { fieldErrors } from '../../src/api/plugins/validation.ts';
import { streamCursor } from '../../src/api/updates/stream-cursor.ts';
import { updatesQuery } from '../../src/api/updates/updates-query.ts';
import { CursorSealer } from '../../src/directory/cursor.ts';
import { isWellFormedKey } from '../../src/directory/key-format.ts';
import { isId } from '../../src/ids.ts';
import { findMessengerError } from '../../src/tl/errors.ts';
import { findMethod } from '../../src/tl/methods.ts';
import { suggestMethods } from '../../src/tl/suggest-method.ts';
import { isOffset } from '../../src/updates/offset.ts';
import { leastCpuMs, measureGrowth, repeatTo, TROUBLEMAKERS } from '../support/growth.ts';
import { isLong } from '../support/tl/is-long.ts';

const HEADERS_MAX = 16 * 1024;
const BODY_MAX = 1024 * 1024;
/** What the API's thread may do at a time. */
const HELD_MAX_MS = 10;

const cursors = new CursorSealer(randomBytes(32));
const pageQuery = listQuery.extend({ organizationId: idFilter });

function check(schema: typeof pageQuery | typeof updatesQuery, query: object): void {
  const parsed = schema.safeParse(query);
  if (!parsed.success) fieldErrors(parsed.error);
}

const READERS: Record<string, [number, (text: string) => unknown]> = {
  Prefer: [HEADERS_MAX, readPrefer],
  'Prefer with a value': [HEADERS_MAX, (text) => readPrefer(`wait=${text}`)],
  Accept: [HEADERS_MAX, (text) => asksFor(text, 'text/html', 'application/json')],
  'If-None-Match': [HEADERS_MAX, (text) => matchesEtag(text, '"a"')],
  'Idempotency-Key': [HEADERS_MAX, readIdempotencyKey],
  'Idempotency-Key in quotes': [HEADERS_MAX, (text) => readIdempotencyKey(`"${text}"`)],
  'an API key': [HEADERS_MAX, (text) => isWellFormedKey(`sb_${text}`)],
  'a cursor': [HEADERS_MAX, (text) => cursors.open('list', text)],
  'the cursor of a stream': [HEADERS_MAX, (text) => streamCursor(text)],
  'an offset': [HEADERS_MAX, isOffset],
  'an id': [HEADERS_MAX, (text) => isId('messengerAccount', `acc_${text}`)],
  'a page of a list': [HEADERS_MAX, (text) => check(pageQuery, { limit: text, startingAfter: text })],
  'kinds of updates': [HEADERS_MAX, (text) => check(updatesQuery, { kind: text, offset: text })],
  'many parameters': [HEADERS_MAX, (text) => check(pageQuery, Object.fromEntries([...text].entries()))],
  'a time': [BODY_MAX, (text) => readSchedule({ scheduleAt: text }, 0, 1)],
  'a time with fractions': [
    BODY_MAX,
    (text) => readSchedule({ scheduleAt: `2030-01-31T12:00:00.${text}Z` }, 0, 1),
  ],
  'the name of an error': [BODY_MAX, (text) => findMessengerError(text)],
  'the name of a method': [BODY_MAX, (text) => findMethod(text)],
  'a name that may be meant for that of a method': [BODY_MAX, suggestMethods],
  'a 64-bit integer': [BODY_MAX, isLong],
};

describe.each(Object.entries(READERS))('%s', (_, [length, read]) => {
  it('is read in proportion to its length', () => {
    for (const fragment of TROUBLEMAKERS) {
      const growth = measureGrowth((size) => repeatTo(fragment, size), length, read);
      expect({ fragment, ...growth }).toMatchObject({ isLinear: true });
    }
  });
});

it('numbers in the name of an error are tried in little time', () => {
  const name = '1_'.repeat(64);
  const look = () => {
    for (let fault = 0; fault < 100; fault += 1) findMessengerError(name);
  };
  expect(leastCpuMs(look, 5 * HELD_MAX_MS)).toBeLessThan(5 * HELD_MAX_MS);
});
