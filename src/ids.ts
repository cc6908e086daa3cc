import { typeidUnboxed } from 'typeid-js';

/** The prefixes of Switchboard's ids, by what they name. */
export const ID_PREFIXES = {
  organization: 'org',
  workspace: 'ws',
  messengerAccount: 'acc',
  apiKey: 'key',
  call: 'call',
  webhook: 'wh',
  delivery: 'dlv',
} as const;

/** A new K-sortable TypeID, such as `call_01h455vb4pex5vsknk084sn02q`. */
export function newId(kind: keyof typeof ID_PREFIXES): string {
  return typeidUnboxed(ID_PREFIXES[kind]);
}

/** Whether a text has the form of an id of that kind: safe to become part of a Redis key. */
export function isId(kind: keyof typeof ID_PREFIXES, text: string): boolean {
  const prefix = ID_PREFIXES[kind];
  return text.length === prefix.length + 27 && text.startsWith(`${prefix}_`) && SUFFIX.test(text.slice(-26));
}

const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;
