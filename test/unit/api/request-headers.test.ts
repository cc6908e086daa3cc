import { describe, expect, it } from 'vitest';
import { asksFor } from '../../../src/api/headers/accept.ts';
import { matchesEtag } from '../../../src/api/headers/matches-etag.ts';

const [EVENTS, JSON_TYPE] = ['text/event-stream', 'application/json'];

describe('Accept', () => {
  it.each([
    ['text/event-stream', true],
    ['Text/Event-Stream; charset=utf-8', true],
    ['application/json, text/event-stream', true],
    ['text/event-stream;q=0.9, application/json;q=0.8', true],
    ['text/event-stream;q=0.001', true],
    [undefined, false],
    ['', false],
    ['*/*', false],
    ['text/*', false],
    ['text/event-streams', false],
    ['text/event-stream;q=0, */*', false],
    ['text/event-stream;q=0.5, */*', false],
    ['text/event-stream;q=0.5, application/*;q=0.6', false],
    ['text/event-stream;q=2', false],
    ['text/event-stream;q=', false],
  ])('%j asks for events: %j', (header, expected) => {
    expect(asksFor(header, EVENTS, JSON_TYPE)).toBe(expected);
  });
});

describe('If-None-Match', () => {
  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", W/"a" ,"c"', true],
    ['*', true],
    [undefined, false],
    ['', false],
    ['"b"', false],
    ['a', false],
    ['w/"a"', false],
  ])('%j matches "a": %j', (header, expected) => {
    expect(matchesEtag(header, '"a"')).toBe(expected);
  });
});
