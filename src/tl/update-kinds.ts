import { getSchema } from './schema.ts';
import { updateKind } from './tl-json.ts';

/** The kinds of updates that tell of calls and are no TL objects. */
const CALL_KINDS = ['call.succeeded', 'call.failed'];

let known: ReadonlySet<string> | undefined;

/** Whether updates of that kind may ever be on a stream. */
export function isUpdateKind(kind: string): boolean {
  known ??= new Set([
    ...CALL_KINDS,
    ...(getSchema().types.get('Update') ?? []).map(({ name }) => updateKind({ _: name })),
  ]);
  return known.has(kind);
}
