import { type Child, el } from './dom.ts';

/** Where a method's name may be broken: after its dot, and before its words. */
export const IN_NAME = /(?<=\.)|(?<=[a-z])(?=[A-Z])/;

/** Where a path may be broken: before its parts. */
export const IN_PATH = /(?=\/)/;

/** A text that may be broken between its parts. */
export function breakable(text: string, between: RegExp): Child[] {
  return text.split(between).flatMap((part) => [el('wbr'), part]);
}
