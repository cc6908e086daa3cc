import { readFileSync } from 'node:fs';
import { text as readAll } from 'node:stream/consumers';
import { UsageError } from '../terminal/failures.ts';

type Json = Record<string, unknown>;

/** The params of a call, and the texts of those that were parsed as something other than text, by their JSON pointers. */
export interface GivenParams {
  params: Json;
  guesses: Map<string, string>;
}

/**
 * Reads params: JSON, `@file` and `-` (standard input) hold them whole, `name=value` and `name.member=value` one each; later ones replace
 * earlier ones. A value that parses as JSON is JSON, else text.
 */
export async function readParams(words: readonly string[]): Promise<GivenParams> {
  const params: Json = {};
  const guesses = new Map<string, string>();
  for (const word of words) {
    const [, name, value = ''] = /^([\w.]+)=(.*)$/s.exec(word) ?? [];
    if (name === undefined) {
      const whole = parseWhole(word, await textOf(word));
      for (const replaced of Object.keys(whole)) forget(guesses, `/params/${replaced}`);
      Object.assign(params, whole);
      continue;
    }
    const parsed = parseValue(value);
    const path = name.split('.');
    const pointer = `/params/${path.join('/')}`;
    forget(guesses, pointer);
    if (typeof parsed === 'number' || typeof parsed === 'boolean') guesses.set(pointer, value);
    setAt(params, path, parsed);
  }
  return { params, guesses };
}

/** The params with the original text for wrongly guessed values; null if no guess was wrong. */
export function withoutGuesses({ params, guesses }: GivenParams, wrong: readonly string[]): Json | null {
  const texts = wrong.filter((pointer) => guesses.has(pointer));
  if (texts.length === 0) return null;
  const corrected = structuredClone(params);
  for (const pointer of texts) setAt(corrected, pointer.split('/').slice(2), guesses.get(pointer));
  return corrected;
}

/** Removes the guesses of a value that is replaced, of those in it, and of those that it is put into. */
function forget(guesses: Map<string, string>, replaced: string): void {
  for (const pointer of guesses.keys())
    if (`${pointer}/`.startsWith(`${replaced}/`) || replaced.startsWith(`${pointer}/`))
      guesses.delete(pointer);
}

async function textOf(word: string): Promise<string> {
  if (word === '-') return readAll(process.stdin);
  if (!word.startsWith('@')) return word;
  try {
    return readFileSync(word.slice(1), 'utf8');
  } catch (error) {
    throw new UsageError(`${word.slice(1)} cannot be read: ${(error as Error).message}.`);
  }
}

function parseWhole(word: string, text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  } catch (error) {
    if (text !== word || text.startsWith('{'))
      throw new UsageError(
        `The params of ${text === word ? 'this call' : word} are no JSON: ${(error as Error).message}.`,
      );
  }
  throw new UsageError(
    `${word} is no param: write a JSON object, name=value, @file, or - for standard input.`,
  );
}

function parseValue(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // A large integer is text in params; as a number it would lose its last digits.
    return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? text : value;
  } catch {
    return text;
  }
}

function setAt(params: Json, path: readonly string[], value: unknown): void {
  let at = params;
  for (const name of path.slice(0, -1)) {
    const next = Object.hasOwn(at, name) ? at[name] : undefined;
    const child = typeof next === 'object' && next !== null ? (next as Json) : {};
    Object.defineProperty(at, name, { value: child, writable: true, enumerable: true, configurable: true });
    at = child;
  }
  Object.defineProperty(at, path.at(-1) ?? '', {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
