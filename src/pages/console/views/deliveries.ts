import type { DeliveryRecord } from '../../../client/records.ts';
import { el } from '../../shared/dom.ts';
import { type ApiError, withQuery } from '../api.ts';
import { confirm, showRecord } from '../parts/dialog.ts';
import { Fields } from '../parts/fields.ts';
import { List } from '../parts/list.ts';
import { action, badge, idText, stacked, timeText } from '../parts/marks.ts';
import { attempt, notify } from '../parts/notice.ts';
import type { Context, View } from '../view.ts';

const STATUSES = { queued: 'Queued: the backlog', failed: 'Failed', succeeded: 'Succeeded', '': 'Any' };
const DAY_MS = 86_400_000;
// Thousands of deliveries are queued one after the other, and no more of them once nobody waits for the answer.
const RECOVERY_MS = 120_000;

/** The deliveries of one webhook: which wait, which failed and why, with buttons to send them again. */
export function deliveries({ api, live, recordId: id }: Context): View {
  const path = `/v1/webhooks/${id}`;
  const filters = new Fields('Deliveries', [{ name: 'status', label: 'Status', values: STATUSES }], {}, () =>
    list.restart(),
  );
  const resend = (one: DeliveryRecord) =>
    attempt(async () => {
      await api.send('POST', `${path}/deliveries/${one.id}/resend`);
      await list.refresh();
      return `${one.id} is sent again.`;
    });
  const list: List<DeliveryRecord> = new List<DeliveryRecord>(api, {
    label: 'Deliveries',
    path: () => withQuery(`${path}/deliveries`, { sort: '-createdAt', ...filters.values }),
    columns: [
      { name: 'Delivery', cell: (one) => stacked(el('strong', {}, one.kind), idText(one.id)) },
      { name: 'Status', cell: ({ status }) => badge(status) },
      { name: 'Last attempt', cell: ({ attempts }) => lastOf(attempts) },
      { name: 'Attempts', isNumber: true, cell: ({ attempts }) => String(attempts.length) },
      { name: 'Made', cell: ({ createdAt }) => timeText(createdAt) },
      { name: 'Next attempt', cell: ({ nextAttemptAt }) => timeText(nextAttemptAt) },
      {
        name: '',
        cell: (one) =>
          el(
            'div',
            { class: 'actions' },
            action('Send again', one.id, () => void resend(one)),
            action('Show', one.id, () => showRecord(one.kind, one)),
          ),
      },
    ],
    empty: 'No such deliveries.',
  });
  const recover = () =>
    confirm(
      'Recover the webhook?',
      'What failed in the last 24 hours is queued once more, and all that waits is tried at once.',
      'Recover',
      async () => {
        // By the clock of Redis: the browser's may be wrong.
        const body = { since: new Date(Date.parse(live.report.at) - DAY_MS).toISOString() };
        const signal = AbortSignal.timeout(RECOVERY_MS);
        const { requeued } = await api
          .send<{ requeued: number }>('POST', `${path}/recover`, { body, signal })
          .catch((error: ApiError) => {
            throw error.status === 0 ? new Error(UNFINISHED) : error;
          });
        notify(`Queued ${requeued} failed deliveries once more.`);
        await list.refresh();
      },
    );
  const ping = () =>
    attempt(async () => {
      await api.send('POST', `${path}/ping`);
      await list.refresh();
      return 'A ping is on its way; it is among the deliveries.';
    });
  const node = el(
    'div',
    {},
    el('p', { class: 'crumb' }, el('a', { href: '#webhooks' }, 'Webhooks')),
    el('h1', { tabindex: '-1' }, 'Deliveries'),
    el('p', { class: 'lead' }, idText(id)),
    el(
      'div',
      { class: 'toolbar' },
      filters.node,
      el(
        'p',
        { class: 'buttons' },
        el('button', { type: 'button', onclick: recover }, 'Recover…'),
        el('button', { type: 'button', onclick: () => void ping() }, 'Ping'),
      ),
    ),
    list.node,
  );
  return { node, close: () => list.stop(), refresh: () => void list.refresh() };
}

const UNFINISHED =
  'No answer came, so a part may not be queued. Check that the API runs, and recover once more: what is queued is left as it is.';

function lastOf(attempts: DeliveryRecord['attempts']): string {
  const last = attempts.at(-1);
  if (last === undefined) return '–';
  return `${last.statusCode ?? last.error ?? 'No answer'} after ${last.durationMs} ms`;
}
