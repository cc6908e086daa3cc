import type { WorkerRecord } from '../../../client/records.ts';
import { el } from '../../shared/dom.ts';
import { count, duration, perSecond } from '../format.ts';
import { confirm } from '../parts/dialog.ts';
import { action, ago, badge, bar, stacked } from '../parts/marks.ts';
import { notify } from '../parts/notice.ts';
import { Table } from '../parts/table.ts';
import type { Context, View } from '../view.ts';

/** The workers with their figures, and how old the figures are. */
export function workers({ api, live }: Context): View {
  const drain = ({ id, host, pid }: WorkerRecord) =>
    confirm(
      'Drain this worker?',
      `${id} on ${host}, pid ${pid}: it takes nothing new, finishes what it runs, and ends. What supervises it may start another.`,
      'Drain',
      async () => {
        await api.send('POST', `/v1/workers/${encodeURIComponent(id)}/drain`);
        notify(`${id} is asked to drain.`);
        live.readNow();
      },
    );
  const summary = el('p', { class: 'lead' });
  const table = new Table<WorkerRecord>(
    'Workers',
    [
      { name: 'Worker', cell: ({ id, host, pid }) => stacked(el('code', {}, id), `${host}, pid ${pid}`) },
      { name: 'State', cell: ({ state }) => badge(state) },
      { name: 'Busy', cell: ({ busyShare }) => bar(busyShare, true) },
      { name: 'Calls', isNumber: true, cell: ({ callsPerSecond }) => perSecond(callsPerSecond) },
      { name: 'Running', isNumber: true, cell: ({ running, slowRunning }) => count(running + slowRunning) },
      { name: 'Version', cell: ({ version }) => version },
      {
        name: 'Up for',
        isNumber: true,
        cell: ({ startedAt }) => duration(Math.max(0, Date.parse(live.report.at) - Date.parse(startedAt))),
      },
      { name: 'Last heard', isNumber: true, cell: ({ lastHeardAt }) => ago(lastHeardAt, live.report.at) },
      {
        name: '',
        cell: (worker) =>
          worker.state === 'running'
            ? el(
                'div',
                { class: 'actions' },
                action('Drain', worker.id, () => drain(worker)),
              )
            : null,
      },
    ],
    ({ id }) => id,
    'No worker is there: calls wait, and then fail. Start one with npm run worker.',
  );
  const close = live.watch(() => {
    const { workers: found, desiredWorkers, workerList } = live.report;
    summary.textContent = `${found.running} running, ${found.draining} draining, ${found.missing} missing; ${desiredWorkers} wanted.`;
    table.show(workerList);
  });
  const node = el('div', {}, el('h1', { tabindex: '-1' }, 'Workers'), summary, table.node);
  return { node, close, refresh: () => live.readNow() };
}
