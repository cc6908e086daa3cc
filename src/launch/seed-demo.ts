import type { ManagementClient } from './management-client.ts';
import { findFileText, writePrivateFile } from './private-file.ts';

const NAME = 'Demo';
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

interface Named {
  id: string;
  name: string;
  /** Of an account. */
  status?: string;
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
  const hasOrganization =
    stored?.organizationId && (await client.find(`organizations/${stored.organizationId}`)) !== null;
  if (stored && hasOrganization) {
    const isUnfinished = stored.accountIds.length < ACCOUNT_NAMES.length;
    if (isUnfinished) return await makeDemo(client, stored, file);
    return (await findStored(client, stored)) ?? (await findAny(client));
  }
  const [organization, another] = await client.list<Named>('organizations?limit=2');
  if (organization === undefined) return await makeDemo(client, { accountIds: [] }, file);
  // A start that was killed before it could record the organization it had made.
  const isOwn = stored && !stored.organizationId && organization.name === NAME && another === undefined;
  if (isOwn) return await makeDemo(client, { organizationId: organization.id, accountIds: [] }, file);
  return await findAny(client);
}

/** Creates the parts that `stored` lacks. A start that was killed may have made one of them without recording it: that is taken. */
async function makeDemo(client: ManagementClient, stored: Stored, file: string): Promise<Demo> {
  const create = async (path: string, body: object) => (await client.create<{ id: string }>(path, body)).id;
  const keep = () => writePrivateFile(file, `${JSON.stringify(stored, null, 2)}\n`);
  // An account whose connecting was cut off stays as it is.
  const idIn = async (list: string, name: string) =>
    (await client.list<Named>(`${list}&limit=100`)).find(
      (found) => found.name === name && found.status !== 'connecting',
    )?.id;

  // The file says from now on that a demo is being made.
  keep();
  stored.organizationId ??= await create('organizations', { name: NAME });
  keep();
  const { organizationId } = stored;
  const hasWorkspace = stored.workspaceId && (await client.find(`workspaces/${stored.workspaceId}`)) !== null;
  if (!hasWorkspace) stored.accountIds = [];
  const workspaceId =
    (hasWorkspace && stored.workspaceId) ||
    ((await idIn(`workspaces?organizationId=${organizationId}`, NAME)) ??
      (await create('workspaces', { name: NAME, organizationId })));
  stored.workspaceId = workspaceId;
  keep();
  for (const name of ACCOUNT_NAMES.slice(stored.accountIds.length)) {
    stored.accountIds.push(
      (await idIn(`messenger-accounts?workspaceId=${workspaceId}`, name)) ??
        (await create('messenger-accounts', { name, workspaceId, driver: 'sandbox' })),
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

/** What an earlier start has recorded; null if there was none that made a demo. */
function readStored(file: string): Stored | null {
  const text = findFileText(file);
  if (text === null) return null;
  try {
    return { accountIds: [], ...JSON.parse(text) };
  } catch {
    return { accountIds: [] };
  }
}
