import { describe, expect, test } from 'vitest';
import type { FieldError } from '../../../src/problem.ts';
import { findMethod, type TlMethod } from '../../../src/tl/methods.ts';
import { validateParams } from '../../../src/tl/validate-params.ts';

const peer = { _: 'inputPeerSelf' };

describe('hostile params', () => {
  test('may nest 64 levels of objects', () => {
    const checked = validateParams(...draft(64));
    expect(checked).toMatchObject({ ok: true });
  });

  test('are refused below 64 levels', () => {
    const [error, ...others] = refused(...draft(65));
    expect(others).toEqual([]);
    expect(error?.detail).toBe('is nested deeper than 64 levels');
    expect(error?.pointer).toBe(`/params/richMessage/blocks/0${'/text'.repeat(63)}`);
  });

  test('are refused, not run into the ground, at 100,000 levels', () => {
    expect(refused(...draft(100_000))).toHaveLength(1);
  });

  test('get 20 errors at most, however many there are', () => {
    const id = Array.from({ length: 100_000 }, () => 'x');
    const errors = refused(get('messages.readMessageContents'), { id });
    expect(errors).toHaveLength(20);
    expect(errors.at(-1)?.pointer).toBe('/params/id/19');
    const unknown = Object.fromEntries(id.map((_, index) => [`field${index}`, 1]));
    expect(refused(get('help.getSupport'), unknown)).toHaveLength(20);
  });

  test('do not come back as a pointer when a name is very long', () => {
    const name = 'x'.repeat(1_000_000);
    const [error] = refused(get('help.getSupport'), { [name]: 1 });
    expect(error?.pointer).toBe('/params');
    expect(error?.detail.length).toBeLessThan(200);
  });

  test('do not come back as a detail when a value is very long', () => {
    const long = 'x'.repeat(1_000_000);
    const params = {
      peer: { _: long },
      message: 7,
      randomId: long,
      effect: long,
    };
    expect(JSON.stringify(refused(get('messages.sendMessage'), params)).length).toBeLessThan(2_000);
  });

  test.each(['__proto__', 'constructor', 'hasOwnProperty'])('cannot name the constructor %s', (name) => {
    const [error] = refused(get('messages.readMentions'), {
      peer: { _: name },
    });
    expect(error?.pointer).toBe('/params/peer/_');
  });

  test('cannot reach a prototype', () => {
    const params = JSON.parse('{"peer":{"_":"inputPeerSelf","__proto__":{"polluted":true}}}');
    expect(refused(get('messages.readMentions'), params)).toEqual([
      { pointer: '/params/peer/__proto__', detail: 'there is no such field: it has none' },
    ]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('cannot stand for a required field by a prototype of their own', () => {
    const params = JSON.parse('{"__proto__":{"id":[1]}}');
    expect(refused(get('messages.readMessageContents'), params)).toContainEqual({
      pointer: '/params/id',
      detail: 'is missing',
    });
  });

  test('may hold a megabyte of text, bytes or ids', () => {
    const message = 'x'.repeat(1_000_000);
    expect(validateParams(get('messages.sendMessage'), { peer, message })).toMatchObject({ ok: true });
    const randomId = 'A'.repeat(1_000_000);
    expect(validateParams(get('messages.viewSponsoredMessage'), { randomId })).toMatchObject({ ok: true });
    const id = Array.from({ length: 300_000 }, (_, index) => index);
    expect(validateParams(get('messages.readMessageContents'), { id })).toMatchObject({ ok: true });
  });
});

/** A message whose text is bold in bold in bold, that many objects deep below the params. */
function draft(levels: number): [TlMethod, object] {
  let text: object = { _: 'textEmpty' };
  for (let level = 3; level < levels; level += 1) text = { _: 'textBold', text };
  const blocks = [{ _: 'pageBlockParagraph', text }];
  return [get('messages.sendMessage'), { peer, message: '', richMessage: { _: 'inputRichMessage', blocks } }];
}

function get(name: string): TlMethod {
  return findMethod(name) as TlMethod;
}

function refused(method: TlMethod, params: unknown): FieldError[] {
  const checked = validateParams(method, params);
  if (checked.ok) throw new Error('accepted');
  return checked.errors;
}
