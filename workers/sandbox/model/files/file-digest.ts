import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallContext } from '../../../driver.ts';

/** An upload as a call has found it: how many parts it has, each but the last `partSize` bytes long, and how often a part was saved. */
export interface Upload {
  /** The key of the hash that holds the parts. */
  name: string;
  parts: number;
  partSize: number;
  saves: string | null;
}

interface Kept {
  saves: string | null;
  parts: number;
  digest: string;
  until: number;
}

// The size of a slice, which takes a few milliseconds to read and hash.
const SLICE_BYTES = 512 * 1024;
const SLICE_PARTS = 256;
const REST_MS = 5;

const KEPT_MAX = 10_000;
const KEPT_MS = 5 * 60 * 1_000;

const kept = new Map<string, Kept>();
const lines = new Map<string, Promise<unknown>>();

/**
 * The MD5 of an upload, in hexadecimal. It is cached for a while, until a part is saved again, so that an upload is not read for every call
 * that names it. Each workspace hashes one upload at a time, in slices, so that other calls run in between.
 */
export async function digestOf(call: CallContext, upload: Upload): Promise<string> {
  const key = call.tx.key(upload.name);
  return findCachedDigest(key, upload) ?? inLine(call.workspaceId, () => digestOnce(call, key, upload));
}

async function digestOnce(call: CallContext, key: string, upload: Upload): Promise<string> {
  // A call ahead in the line may have computed the same digest.
  const known = findCachedDigest(key, upload);
  if (known !== undefined) return known;
  const digest = await readDigest(call, key, upload);
  const { saves, parts } = upload;
  kept.delete(key);
  kept.set(key, { saves, parts, digest, until: performance.now() + KEPT_MS });
  const [oldest] = kept.keys();
  if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  return digest;
}

function findCachedDigest(key: string, { saves, parts }: Upload): string | undefined {
  const one = kept.get(key);
  const isSame = one !== undefined && one.saves === saves && one.parts === parts;
  return isSame && performance.now() < one.until ? one.digest : undefined;
}

async function readDigest(call: CallContext, key: string, { parts, partSize }: Upload): Promise<string> {
  const hash = createHash('md5');
  const atOnce = Math.max(1, Math.min(SLICE_PARTS, Math.floor(SLICE_BYTES / Math.max(1, partSize))));
  for (let first = 0; first < parts; first += atOnce) {
    call.signal.throwIfAborted();
    const count = Math.min(atOnce, parts - first);
    const fields = Array.from({ length: count }, (_, i) => String(first + i));
    for (const bytes of await call.tx.read.hmget(key, ...fields)) hash.update(bytes ?? '', 'base64');
    // The next slice would follow in the same turn of the event loop, and keep Redis and its connection busy.
    await sleep(REST_MS);
  }
  return hash.digest('hex');
}

async function inLine<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
  const ahead = lines.get(workspaceId) ?? Promise.resolve();
  const own = ahead.then(work, work);
  lines.set(workspaceId, own);
  try {
    return await own;
  } finally {
    if (lines.get(workspaceId) === own) lines.delete(workspaceId);
  }
}
