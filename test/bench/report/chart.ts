/** Bars in groups, one bar a series. */
export interface BarChart {
  kind: 'bars';
  file: string;
  title: string;
  groups: string[];
  series: { label: string; values: number[] }[];
}

/** Lines over time. */
export interface LineChart {
  kind: 'lines';
  file: string;
  title: string;
  xLabel: string;
  series: { label: string; points: [x: number, y: number][] }[];
}

export type Chart = BarChart | LineChart;

const WIDTH = 760;
const HEIGHT = 340;
const PLOT = { left: 64, right: 16, top: 64, bottom: 40 };
const INNER_WIDTH = WIDTH - PLOT.left - PLOT.right;
const INNER_HEIGHT = HEIGHT - PLOT.top - PLOT.bottom;

// Colours are chosen to be told apart on light and on dark ground, by colour-blind readers too.
const STYLE = `
text { font: 13px system-ui, sans-serif; fill: #24292f }
.title { font-size: 15px; font-weight: 600 }
.grid { stroke: #d0d7de }
.s0 { fill: #0969da; stroke: #0969da } .s1 { fill: #bc4c00; stroke: #bc4c00 } .s2 { fill: #8c959f; stroke: #8c959f } .s3 { fill: #8250df; stroke: #8250df }
.line { fill: none; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .grid { stroke: #30363d }
.s0 { fill: #58a6ff; stroke: #58a6ff } .s1 { fill: #f0883e; stroke: #f0883e }
.line { fill: none }
}`;

/** A chart as an SVG that reads well on light and on dark ground. */
export function renderChart(chart: Chart): string {
  const body = chart.kind === 'bars' ? renderBars(chart) : renderLines(chart);
  const legend = chart.series.map(({ label }, index) => {
    const x = PLOT.left + index * 170;
    return `<rect class="s${index}" x="${x}" y="36" width="12" height="12"/><text x="${x + 18}" y="47">${escapeText(label)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeText(chart.title)}">
<style>${STYLE}</style>
<text class="title" x="${PLOT.left}" y="22">${escapeText(chart.title)}</text>
${legend.join('\n')}
${body}
</svg>
`;
}

function renderBars({ groups, series }: BarChart): string {
  const top = niceCeiling(Math.max(...series.flatMap(({ values }) => values.filter(Number.isFinite))));
  const groupWidth = INNER_WIDTH / groups.length;
  const barWidth = (groupWidth * 0.8) / series.length;
  const bars = groups.flatMap((_, group) =>
    series.map(({ values }, index) => {
      const value = values[group] ?? 0;
      if (!Number.isFinite(value)) return '';
      const x = PLOT.left + group * groupWidth + groupWidth * 0.1 + index * barWidth;
      const y = toY(value, top);
      const height = PLOT.top + INNER_HEIGHT - y;
      return (
        `<rect class="s${index}" x="${round(x)}" y="${round(y)}" width="${round(barWidth - 4)}" height="${round(height)}"/>` +
        `<text x="${round(x + barWidth / 2 - 2)}" y="${round(y - 5)}" text-anchor="middle">${short(value)}</text>`
      );
    }),
  );
  const names = groups.map((name, group) => {
    const x = PLOT.left + (group + 0.5) * groupWidth;
    return `<text x="${round(x)}" y="${HEIGHT - 14}" text-anchor="middle">${escapeText(name)}</text>`;
  });
  return [grid(top), ...bars, ...names].join('\n');
}

function renderLines({ series, xLabel }: LineChart): string {
  const points = series.flatMap((one) => one.points);
  const top = niceCeiling(Math.max(...points.map(([, y]) => y)));
  const end = Math.max(...points.map(([x]) => x), 1);
  const lines = series.map((one, index) => {
    const path = one.points.map(
      ([x, y]) => `${round(PLOT.left + (x / end) * INNER_WIDTH)},${round(toY(y, top))}`,
    );
    return `<polyline class="s${index} line" style="fill:none" points="${path.join(' ')}"/>`;
  });
  const marks = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const x = PLOT.left + share * INNER_WIDTH;
    return `<text x="${round(x)}" y="${HEIGHT - 22}" text-anchor="middle">${short(share * end)}</text>`;
  });
  const label = `<text x="${WIDTH / 2}" y="${HEIGHT - 5}" text-anchor="middle">${escapeText(xLabel)}</text>`;
  return [grid(top), ...lines, ...marks, label].join('\n');
}

function grid(top: number): string {
  return [0, 0.25, 0.5, 0.75, 1]
    .map((share) => {
      const y = round(toY(share * top, top));
      return (
        `<line class="grid" x1="${PLOT.left}" x2="${WIDTH - PLOT.right}" y1="${y}" y2="${y}"/>` +
        `<text x="${PLOT.left - 8}" y="${y + 4}" text-anchor="end">${short(share * top)}</text>`
      );
    })
    .join('\n');
}

function toY(value: number, top: number): number {
  return PLOT.top + INNER_HEIGHT * (1 - value / top);
}

function niceCeiling(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 6, 8, 10].find((step) => step * power >= value) ?? 10) * power;
}

function short(value: number): string {
  if (value >= 10_000) return `${round(value / 1_000)}k`;
  return value >= 100 ? value.toFixed(0) : String(Math.round(value * 100) / 100);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
