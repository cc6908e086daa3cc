import { startOfDay } from '../common/days.ts';

/** One line, or one layer of bars, of a chart. */
export interface ChartSeries {
  name: string;
  color: string;
  values: number[];
}

/** A chart over days in the JSON format of Telegram's statistics. Source: core.telegram.org/api/stats. */
export function toChart(
  days: readonly number[],
  series: readonly ChartSeries[],
  style: { type: 'line' } | { type: 'bar'; stacked: true },
): string {
  const ids = series.map((_, i) => `y${i}`);
  const byId = <Value>(pick: (one: ChartSeries) => Value) =>
    Object.fromEntries(series.map((one, i) => [`y${i}`, pick(one)]));
  const x = days.map(startOfDay);
  return JSON.stringify({
    columns: [['x', ...x], ...series.map(({ values }, i) => [ids[i], ...values])],
    types: { ...byId(() => style.type), x: 'x' },
    names: byId(({ name }) => name),
    colors: byId(({ color }) => color),
    hidden: [],
    subchart: { show: true, defaultZoom: [x[0], x.at(-1)] },
    strokeWidth: 2,
    xTickFormatter: "statsFormat('day')",
    xTooltipFormatter: "statsFormat('day')",
    ...('stacked' in style ? { stacked: true } : {}),
  });
}
