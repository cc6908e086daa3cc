import { type Command, Option } from 'commander';
import type { ApiKeyRecord } from '../../client/records.ts';
import { LISTS } from '../setup/columns.ts';
import { action, ask, type Context, createRecord, needWorkspace, remove } from '../setup/context.ts';
import { examples } from '../setup/examples.ts';
import { ALL, LIMIT, showList } from '../setup/paged.ts';
import { recordPath } from '../setup/record-path.ts';
import { UsageError } from '../terminal/failures.ts';

const PATH = '/v1/api-keys';
const DAY_MS = 86_400_000;
const RATE = /^(\d+)\/(\d+)$/;

/** `switchboard keys`: the API keys. */
export function addKeysCommand(program: Command): void {
  const keys = program
    .command('keys')
    .summary('list, create, replace and delete API keys')
    .description('Lists, creates, replaces and deletes API keys.')
    .addHelpText(
      'after',
      examples('keys list', 'keys create mailer --scopes calls:write,updates:read', 'keys revoke key_…'),
    );
  keys
    .command('list', { isDefault: true })
    .description('Lists the keys, without their secrets.')
    .option('--created-by <id>', 'only those that this key has created')
    .addOption(LIMIT)
    .addOption(ALL)
    .action(
      action(async (context) => {
        const { createdBy } = context.options;
        await showList(
          context,
          PATH,
          typeof createdBy === 'string' ? { createdBy } : {},
          LISTS['api-keys'] ?? [],
        );
      }),
    );
  keys
    .command('create')
    .description('Creates a key of the workspace, or of an organization. Its secret is shown this once.')
    .argument('<name>', 'a name for people')
    .requiredOption('--scopes <scopes...>', 'what it may do, such as calls:write,updates:read')
    .option('--organization <id>', 'it is for the whole organization')
    .option('--expires <days or time>', 'it is refused after so many days, or from a time on')
    .option('--rate-limit <requests/seconds>', 'how often it may be used, such as 100/60')
    .addHelpText(
      'after',
      examples(
        'keys create mailer --scopes calls:write,updates:read',
        'keys create backup --organization org_… --scopes workspaces:read --expires 30 --rate-limit 100/60',
      ),
    )
    .action(
      action(async (context, name: string) => {
        const { scopes, organization, expires, rateLimit } = context.options as Record<string, string> & {
          scopes: string[];
        };
        const place =
          organization === undefined
            ? { workspaceId: needWorkspace(context) }
            : { organizationId: organization };
        const wanted = { name, scopes: scopes.flatMap((names) => names.split(',')), ...place };
        await create(context, { ...wanted, expiresAt: expiryOf(expires), rateLimit: rateOf(rateLimit) });
      }),
    );
  keys
    .command('rotate')
    .description('Creates a key like this one to take its place. This one holds until it is revoked.')
    .argument('<id>', 'the id of the key to replace')
    .option('--revoke', 'revoke it at once')
    .addHelpText('after', examples('keys rotate key_…', 'keys rotate key_… --revoke'))
    .action(
      action(async (context, id: string) => {
        const { name, scopes, organizationId, workspaceId, expiresAt, rateLimit } = await ask<ApiKeyRecord>(
          context,
          recordPath(PATH, id),
        );
        const place = workspaceId === null ? { organizationId } : { workspaceId };
        const isToRevoke = context.options.revoke === true;
        if (isToRevoke) context.out.undone = `${id} is kept, as nobody has the secret of the new key.`;
        await create(context, { name, scopes, expiresAt, rateLimit, ...place });
        if (!(await context.out.written)) return;
        // The old key has created the new one if it is the key in use.
        if (isToRevoke) await revoke(context, id, false);
        else context.out.note(`Once nothing uses the old one any more: switchboard keys revoke ${id}`);
      }),
    );
  keys
    .command('revoke')
    .description('Deletes a key: it is refused from now on.')
    .argument('<id>', 'its id')
    .option('--cascade', 'what it has created, too: keys and webhooks')
    .addOption(new Option('--keep', 'leave what it has created').conflicts('cascade'))
    .addHelpText('after', examples('keys revoke key_…', 'keys revoke key_… --keep'))
    .action(
      action((context, id: string) => {
        const { cascade, keep } = context.options;
        return revoke(context, id, cascade === true ? true : keep === true ? false : null);
      }),
    );
}

async function create(context: Context, body: object): Promise<void> {
  context.out.record(await createRecord(context, PATH, body));
  context.out.note('Keep the secret: it is shown this once.');
}

async function revoke(context: Context, id: string, cascade: boolean | null): Promise<void> {
  await remove(context, `${recordPath(PATH, id)}${cascade === null ? '' : `?cascade=${cascade}`}`);
  context.out.note(`${id} is deleted.`);
}

function expiryOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const time = /^\d{1,5}$/.test(text) ? new Date(Date.now() + Number(text) * DAY_MS) : new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new UsageError(`--expires takes days or a time, such as 30 or 2027-01-01T00:00:00Z, not ${text}.`);
  return time.toISOString();
}

function rateOf(text: string | undefined): ApiKeyRecord['rateLimit'] {
  if (text === undefined) return null;
  const [, limit, windowSeconds] = RATE.exec(text) ?? [];
  if (limit === undefined)
    throw new UsageError(`--rate-limit takes requests/seconds, such as 100/60, not ${text}.`);
  return { limit: Number(limit), windowSeconds: Number(windowSeconds) };
}
