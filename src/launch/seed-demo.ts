import type { ManagementClient } from './management-client.ts';
import { findFileText, writePrivateFile } from './private-file.ts';

const ACCOUNT_NAMES = ['Ada', 'Grace'];
const WORKSPACES_SCANNED = 20;

/** An account as the API shows it, with the members needed here. */
export interface DemoAccount {
  id: string;
  driver: string;
  status: string;
  userId: number | null;
}

/** A workspace to try things in, with two accounts that can write to each other. */
export interface Demo {
  workspaceId: string;
  accounts: DemoAccount[];
}

interface Stored {
  organizationId?: string;
  workspaceId?: string;
  accountIds: string[];
}

/**
 * Creates an organization with a workspace and two sandbox accounts if there is no organization yet. Otherwise returns an existing
 * workspace, or null. What has been created is recorded in `file`, so that an interrupted start is continued.
 */
export async function seedDemo(client: ManagementClient, file: string): Promise<Demo | null> {
  const stored = readStored(file);
  const isHere = stored.organizationId && (await client.find(`organizations/${stored.organizationId}`));
  const isUnfinished = stored.accountIds.length < ACCOUNT_NAMES.length;
  if (isHere && !isUnfinished) return (await findStored(client, stored)) ?? (await findAny(client));
  if (isHere) return await makeDemo(client, stored, file);
  const [organization] = await client.list('organizations?limit=1');
  if (organization) return await findAny(client);
  return await makeDemo(client, { accountIds: [] }, file);
}

/** Creates the parts that `stored` lacks. */
async function makeDemo(client: ManagementClient, stored: Stored, file: string): Promise<Demo> {
  const create = async (path: string, body: object) => (await client.create<{ id: string }>(path, body)).id;
  const keep = () => writePrivateFile(file, `${JSON.stringify(stored, null, 2)}\n`);

  stored.organizationId ??= await create('organizations', { name: 'Demo' });
  keep();
  const { organizationId } = stored;
  stored.workspaceId ??= await create('workspaces', {
    name: 'Demo',
    organizationId,
  });
  keep();
  const { workspaceId } = stored;
  for (const name of ACCOUNT_NAMES.slice(stored.accountIds.length)) {
    stored.accountIds.push(
      await create('messenger-accounts', {
        name,
        workspaceId,
        driver: 'sandbox',
      }),
    );
    keep();
  }
  return { workspaceId, accounts: await listAccounts(client, workspaceId) };
}

async function findStored(
  client: ManagementClient,
  { workspaceId, accountIds }: Stored,
): Promise<Demo | null> {
  if (workspaceId === undefined) return null;
  const found = await Promise.all(
    accountIds.map((id) => client.find<DemoAccount>(`messenger-accounts/${id}`)),
  );
  const accounts = found.filter((account) => account !== null);
  return accounts.length < accountIds.length ? null : { workspaceId, accounts };
}

/** The first workspace with two accounts, otherwise any. */
async function findAny(client: ManagementClient): Promise<Demo | null> {
  const workspaces = await client.list<{ id: string }>(`workspaces?limit=${WORKSPACES_SCANNED}`);
  let best: Demo | null = null;
  for (const { id } of workspaces) {
    const demo = { workspaceId: id, accounts: await listAccounts(client, id) };
    if (demo.accounts.length >= 2) return demo;
    best ??= demo;
  }
  return best;
}

/** The sandbox accounts of a workspace that can be called, oldest first. */
async function listAccounts(client: ManagementClient, workspaceId: string): Promise<DemoAccount[]> {
  const accounts = await client.list<DemoAccount>(`messenger-accounts?workspaceId=${workspaceId}&limit=100`);
  return accounts.filter(
    ({ driver, status, userId }) => driver === 'sandbox' && status === 'active' && userId,
  );
}

function readStored(file: string): Stored {
  try {
    return { accountIds: [], ...JSON.parse(findFileText(file) ?? '{}') };
  } catch {
    return { accountIds: [] };
  }
}
