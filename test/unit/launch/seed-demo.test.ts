import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ManagementClient } from '../../../src/launch/management-client.ts';
import { seedDemo } from '../../../src/launch/seed-demo.ts';

interface Kept {
  id: string;
  [field: string]: unknown;
}

let dir: string;
let file: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'switchboard-demo-'));
  file = join(dir, 'demo.json');
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Records in memory; `failAfter` creations it stops working, as if it were killed; with `isLate` after it has made one more. */
class Records implements ManagementClient {
  failAfter = Number.POSITIVE_INFINITY;
  isLate = false;
  readonly all = new Map<string, Kept[]>();

  async find<T>(path: string): Promise<T | null> {
    const [collection = '', id] = path.split('/');
    return (this.of(collection).find((record) => record.id === id) as T | undefined) ?? null;
  }

  async list<T>(path: string): Promise<T[]> {
    const { pathname, searchParams } = new URL(path, 'http://here/');
    const parents = ['organizationId', 'workspaceId'].filter((name) => searchParams.has(name));
    const records = this.of(pathname.slice(1)).filter((record) =>
      parents.every((name) => record[name] === searchParams.get(name)),
    );
    return records.slice(0, Number(searchParams.get('limit'))) as T[];
  }

  async create<T>(collection: string, body: object): Promise<T> {
    const isGone = this.failAfter-- <= 0;
    if (isGone && !this.isLate) throw new Error('gone');
    const { workspaceId } = body as { workspaceId?: string };
    if (workspaceId && !this.of('workspaces').some(({ id }) => id === workspaceId)) throw new Error('404');
    const records = this.of(collection);
    const record = {
      id: `${collection}-${records.length + 1}`,
      status: 'active',
      userId: 1000 + records.length,
      ...body,
    };
    records.push(record);
    if (isGone) throw new Error('gone');
    return record as T;
  }

  of(collection: string): Kept[] {
    const records = this.all.get(collection) ?? [];
    this.all.set(collection, records);
    return records;
  }

  count(): number[] {
    return ['organizations', 'workspaces', 'messenger-accounts'].map(
      (collection) => this.of(collection).length,
    );
  }
}

test('seeds an empty database with two accounts, once', async () => {
  const records = new Records();
  const demo = await seedDemo(records, file);
  expect(records.count()).toEqual([1, 1, 2]);
  expect(demo?.workspaceId).toBe('workspaces-1');
  expect(demo?.accounts.map(({ id }) => id)).toEqual(['messenger-accounts-1', 'messenger-accounts-2']);

  expect((await seedDemo(records, file))?.accounts).toHaveLength(2);
  expect(records.count()).toEqual([1, 1, 2]);
});

test.each([0, 1, 2, 3])('takes up again what was cut off after %i records', async (made) => {
  const records = new Records();
  records.failAfter = made;
  await expect(seedDemo(records, file)).rejects.toThrow('gone');
  records.failAfter = Number.POSITIVE_INFINITY;
  expect((await seedDemo(records, file))?.accounts).toHaveLength(2);
  expect(records.count()).toEqual([1, 1, 2]);
});

test.each([0, 1, 2, 3])('takes what was made, but not recorded, after %i records', async (made) => {
  const records = new Records();
  records.failAfter = made;
  records.isLate = true;
  await expect(seedDemo(records, file)).rejects.toThrow('gone');
  records.failAfter = Number.POSITIVE_INFINITY;
  expect((await seedDemo(records, file))?.accounts).toHaveLength(2);
  expect(records.count()).toEqual([1, 1, 2]);
});

test('finishes a demo whose workspace was deleted half way', async () => {
  const records = new Records();
  records.failAfter = 3;
  await expect(seedDemo(records, file)).rejects.toThrow('gone');
  records.failAfter = Number.POSITIVE_INFINITY;
  records.of('workspaces')[0] = { id: 'another', organizationId: 'of-others' };
  expect((await seedDemo(records, file))?.accounts).toHaveLength(2);
});

test('does not take an organization of somebody else for the demo', async () => {
  const records = new Records();
  records.failAfter = 0;
  await expect(seedDemo(records, file)).rejects.toThrow('gone');
  records.failAfter = Number.POSITIVE_INFINITY;
  await records.create('organizations', { name: 'Acme' });
  expect(await seedDemo(records, file)).toBeNull();
  expect(records.count()).toEqual([1, 0, 0]);
});

test('makes nothing where there are organizations, and finds two accounts to try', async () => {
  const records = new Records();
  await records.create('organizations', { name: 'Acme' });
  await records.create('workspaces', {});
  await records.create('workspaces', {});
  await records.create('messenger-accounts', {
    workspaceId: 'workspaces-1',
    driver: 'telegram',
  });
  for (const name of ['one', 'two']) {
    await records.create('messenger-accounts', {
      name,
      workspaceId: 'workspaces-2',
      driver: 'sandbox',
    });
  }
  expect((await seedDemo(records, file))?.workspaceId).toBe('workspaces-2');
  expect(records.count()).toEqual([1, 2, 3]);
});

test('does not bring back a demo that was deleted while there is another organization', async () => {
  const records = new Records();
  await seedDemo(records, file);
  records.all.clear();
  await records.create('organizations', { name: 'Acme' });
  records.of('organizations')[0] = { id: 'another' };
  expect(await seedDemo(records, file)).toBeNull();
  expect(records.count()).toEqual([1, 0, 0]);
});

test('seeds a database that was emptied', async () => {
  await seedDemo(new Records(), file);
  const emptied = new Records();
  expect((await seedDemo(emptied, file))?.accounts).toHaveLength(2);
});
