import { expect, it } from 'vitest';
import { showList } from '../../../src/cli/setup/paged.ts';
import { Http } from '../../../src/client/http/http.ts';

it('says after the items that there are more', async () => {
  const fetch = async () => Response.json({ data: [1, 2], hasMore: false, cursors: { next: null } });
  const http = new Http({ url: 'http://127.0.0.1:1', key: 'none', fetch });
  const shown: unknown[] = [];
  const out = {
    rows: (items: unknown[]) => shown.push(...items),
    note: (text: string) => shown.push(text),
  };
  await showList({ http, out, options: { limit: '1' } } as never, '/v1/pauses', {}, []);
  expect(shown).toEqual([1, 'There are more: --limit 10, or --all.']);
});
