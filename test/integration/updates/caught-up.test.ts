import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApi } from '../../support/api/api.ts';
import { appendUpdates } from '../../support/api/append-update.ts';
import { eventually } from '../../support/eventually.ts';
import { isCollected } from '../../support/is-collected.ts';

let api: TestApi;
let path: string;
/** An update of each read. */
const seen: WeakRef<object>[] = [];

beforeAll(async () => {
  api = await TestApi.start();
  const { workspaceId } = await api.aTenant();
  path = `/v1/workspaces/${workspaceId}/updates`;
  await appendUpdates(api.redis, workspaceId, [{ value: 'what a reader is sent first' }]);
  const { reads } = api.deps;
  const runPaced = reads.runPaced.bind(reads);
  reads.runPaced = async (...read) => {
    const batch = await runPaced(...read);
    for (const entry of batch.entries) seen.push(new WeakRef(entry));
    return batch;
  };
});
afterAll(() => api.stop());

it.each(['live=sse', 'live=sse&kind=RawUpdateNewMessage', 'live=long-poll&kind=RawUpdateNewMessage'])(
  'with %s a reader that waits keeps in memory nothing of what it has read',
  async (query) => {
    seen.length = 0;
    const end = new AbortController();
    const request = fetch(`${api.url}${path}?offset=-1&${query}`, {
      headers: { authorization: `Bearer ${api.rootKey}` },
      signal: end.signal,
    });
    const isOpen = request.then(
      ({ status }) => status === 200 && query.startsWith('live=sse'),
      () => true,
    );
    await eventually(() => seen.length > 0);
    for (const update of seen) expect(await eventually(() => isCollected(update))).toBe(true);
    end.abort();
    expect(await isOpen).toBe(true);
  },
);
