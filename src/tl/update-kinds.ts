import { CALL_EVENTS } from '../call-events.ts';
import { getSchema } from './schema.ts';
import { suggestName } from './suggest-name.ts';
import { updateKind } from './tl-json.ts';

const UNKNOWN_KIND =
  'There is no such kind of update. A kind is `Raw` and the name of its TL object, such as `RawUpdateNewMessage`, or that of an event, such as `call.succeeded`.';

// With more wrong letters it is another name, and comparing takes longer with each letter that may be wrong.
const WRONG_MAX = 3;

let known: ReadonlySet<string> | undefined;
let names: readonly string[] = [];

/** Whether a kind of update exists. */
export function isUpdateKind(kind: string): boolean {
  return listKinds().has(kind);
}

/** The error text for an unknown kind, with the kind that was probably meant. */
export function refusalOfKind(kind: string): string {
  listKinds();
  const meant = suggestName(kind, names, WRONG_MAX) ?? suggestName(`Raw${kind}`, names, WRONG_MAX);
  return meant === null ? UNKNOWN_KIND : `There is no such kind of update: did you mean \`${meant}\`?`;
}

function listKinds(): ReadonlySet<string> {
  if (known === undefined) {
    const ofUpdates = (getSchema().types.get('Update') ?? []).map(({ name }) => updateKind({ _: name }));
    names = [...Object.keys(CALL_EVENTS), ...ofUpdates];
    known = new Set(names);
  }
  return known;
}
