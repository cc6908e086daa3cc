import { CALL_EVENTS } from '../call-events.ts';
import { getSchema } from './schema.ts';
import { updateKind } from './tl-json.ts';

let known: ReadonlySet<string> | undefined;

/** Whether a kind of update exists. */
export function isUpdateKind(kind: string): boolean {
  known ??= new Set([
    ...Object.keys(CALL_EVENTS),
    ...(getSchema().types.get('Update') ?? []).map(({ name }) => updateKind({ _: name })),
  ]);
  return known.has(kind);
}
