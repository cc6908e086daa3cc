import { CALL_EVENTS } from '../call-events.ts';
import { getSchema } from './schema.ts';
import { updateKind } from './tl-json.ts';

/** What is said of a kind that does not exist. */
export const UNKNOWN_KIND =
  'There is no such kind of update. A kind is `Raw` and the name of its TL object, such as `RawUpdateNewMessage`, or that of an event, such as `call.succeeded`.';

let known: ReadonlySet<string> | undefined;

/** Whether a kind of update exists. */
export function isUpdateKind(kind: string): boolean {
  known ??= new Set([
    ...Object.keys(CALL_EVENTS),
    ...(getSchema().types.get('Update') ?? []).map(({ name }) => updateKind({ _: name })),
  ]);
  return known.has(kind);
}
