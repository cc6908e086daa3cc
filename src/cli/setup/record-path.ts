import type { Command } from 'commander';
import { action, remove } from './context.ts';

/** The path of a record of a collection. */
export function recordPath(collection: string, id: string): string {
  return `${collection}/${encodeURIComponent(id)}`;
}

/** Adds the command that deletes a record of a collection; `what` names the record in its help. */
export function addDeleteCommand(
  parent: Command,
  collection: string,
  { description, what }: { description: string; what: string },
): void {
  parent
    .command('delete')
    .description(description)
    .argument('<id>', what)
    .action(
      action(async (context, id: string) => {
        await remove(context, recordPath(collection, id));
        context.out.note(`${id} is deleted.`);
      }),
    );
}
