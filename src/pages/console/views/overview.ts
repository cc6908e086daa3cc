import { el } from '../../shared/dom.ts';
import { adviceFor, refusedOf } from '../advice.ts';
import { count, duration, percent, perSecond } from '../format.ts';
import { Chart } from '../parts/chart.ts';
import { bar, idText } from '../parts/marks.ts';
import { Table } from '../parts/table.ts';
import type { ScalingReport } from '../types.ts';
import type { Context, View } from '../view.ts';

const LANES: Record<string, string> = {
  shared: 'Shared: calls that someone waits for',
  slow: 'Slow: methods that mostly wait',
  lone: 'Lone: calls that may kill their process',
  async: 'Async: due calls, at most 16 of a workspace',
};

/** Health, load, the busiest workspaces, and how many workers to run. */
export function overview({ live }: Context): View {
  const health = el('ul', { class: 'verdicts', 'aria-label': 'Health', role: 'list' });
  const tiles = el('dl', { class: 'tiles' });
  const charts = [
    new Chart(
      live,
      'Calls',
      [
        { name: 'Arriving', value: ({ report }) => report.arrivalRate },
        { name: 'Answered', value: ({ report }) => report.serviceRate },
      ],
      perSecond,
    ),
    new Chart(
      live,
      'Latency',
      [
        { name: 'p50', value: ({ report }) => report.latency.p50Ms },
        { name: 'p99', value: ({ report }) => report.latency.p99Ms },
      ],
      duration,
    ),
    new Chart(
      live,
      'Not answered well',
      [
        { name: 'Refused', value: ({ report }) => refusedOf(report) },
        { name: 'Failed', value: ({ report }) => failuresOf(report) },
      ],
      perSecond,
    ),
    new Chart(
      live,
      'Oldest wait',
      [
        { name: 'Now', value: ({ report }) => report.oldestWaitMs },
        { name: 'Target', value: ({ report }) => report.targetWaitMs },
      ],
      duration,
    ),
  ];
  const workspaces = new Table<ScalingReport['heaviestWorkspaces'][number]>(
    'Workspaces that ask for most',
    [
      { name: 'Workspace', cell: ({ workspaceId }) => idText(workspaceId, `#workspaces/${workspaceId}`) },
      { name: 'Share', cell: ({ share }) => bar(share) },
      { name: 'Calls', isNumber: true, cell: ({ callsPerSecond }) => perSecond(callsPerSecond) },
      { name: 'Cost', isNumber: true, cell: ({ costPerSecond }) => perSecond(costPerSecond ?? null) },
      { name: 'Refused', isNumber: true, cell: ({ refusedPerSecond }) => perSecond(refusedPerSecond) },
      { name: 'Waiting', isNumber: true, cell: ({ waiting }) => count(waiting) },
    ],
    ({ workspaceId }) => workspaceId,
    'No calls now.',
  );
  const lanes = new Table<ScalingReport['lanes'][number]>(
    'Lanes',
    [
      { name: 'Lane', cell: ({ lane }) => LANES[lane] ?? lane },
      { name: 'Waiting', isNumber: true, cell: ({ waiting }) => count(waiting) },
      { name: 'Oldest wait', isNumber: true, cell: ({ oldestWaitMs }) => duration(oldestWaitMs) },
    ],
    ({ lane }) => lane,
    'No lanes.',
  );
  const refusals = new Table<{ reason: string; rate: number }>(
    'Refusals',
    [
      { name: 'Too much of', cell: ({ reason }) => el('code', {}, reason) },
      { name: 'Refused', isNumber: true, cell: ({ rate }) => perSecond(rate) },
    ],
    ({ reason }) => reason,
    'Nothing is refused now.',
  );

  const close = live.watch(() => {
    const { report } = live;
    const items = adviceFor(live).map(({ level, text }) => el('li', { class: level }, text));
    if (items.map((item) => item.outerHTML).join('') !== health.innerHTML) health.replaceChildren(...items);
    tiles.replaceChildren(...tilesOf(report).flatMap(tile));
    for (const chart of charts) chart.update();
    workspaces.show(report.heaviestWorkspaces);
    lanes.show(report.lanes);
    const rates = Object.entries(report.refusals).map(([reason, rate]) => ({ reason, rate }));
    refusals.show(rates.filter(({ rate }) => rate >= 0.05));
  });
  const node = el(
    'div',
    {},
    el('h1', { tabindex: '-1' }, 'Overview'),
    health,
    tiles,
    el('div', { class: 'charts' }, ...charts.map((chart) => chart.node)),
    el(
      'div',
      { class: 'columns' },
      section('Workspaces that ask for most', workspaces.node),
      el('div', {}, section('Lanes', lanes.node), section('Refusals', refusals.node)),
    ),
  );
  return { node, close, refresh: () => live.readNow() };
}

function section(title: string, content: HTMLElement): HTMLElement {
  return el('section', {}, el('h2', {}, title), content);
}

function failuresOf({ outcomes }: ScalingReport): number {
  return (outcomes.failed ?? 0) + (outcomes.timeout ?? 0);
}

function tilesOf(report: ScalingReport): [name: string, value: string, more: string][] {
  const { workers, lanes, latency } = report;
  const waiting = lanes.reduce((sum, lane) => sum + (lane.lane === 'async' ? 0 : lane.waiting), 0);
  return [
    ['Answered', perSecond(report.serviceRate), `of ${perSecond(report.arrivalRate)} that arrive`],
    ['Latency p50', duration(latency.p50Ms), `p99 ${duration(latency.p99Ms)}`],
    ['Refused', perSecond(refusedOf(report)), 'before they ran'],
    ['Failed', perSecond(failuresOf(report)), 'timeouts included'],
    ['Waiting', count(waiting), `oldest ${duration(report.oldestWaitMs)}`],
    ['Async backlog', count(report.asyncCalls.backlog), `oldest ${duration(report.asyncCalls.oldestMs)}`],
    ['Webhook backlog', count(report.webhooks.waiting), `oldest ${duration(report.webhooks.oldestMs)}`],
    ['Workers', count(workers.running), `${report.desiredWorkers} wanted, ${percent(report.busyShare)} busy`],
  ];
}

function tile([name, value, more]: [string, string, string]): HTMLElement[] {
  return [
    el(
      'div',
      {},
      el('dt', {}, name),
      el('dd', { class: 'value' }, value),
      el('dd', { class: 'muted' }, more),
    ),
  ];
}
