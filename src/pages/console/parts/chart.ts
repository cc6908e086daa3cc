import { el } from '../../shared/dom.ts';
import type { Live, Sample } from '../live.ts';

/** One line of a chart. */
export interface Series {
  name: string;
  /** Its value in a sample; null if the sample has none. */
  value: (sample: Sample) => number | null;
}

const SPAN_MS = 300_000;
// The line is interrupted where samples are missing, for example while the page was hidden.
const GAP_MS = 10_000;
const WIDTH = 600;
const HEIGHT = 120;

/** A chart of the last five minutes, with the newest values in its legend, or those at the pointer. */
export class Chart {
  readonly node: HTMLElement;
  private readonly live: Live;
  private readonly series: Series[];
  private readonly show: (value: number | null) => string;
  private readonly values: HTMLElement[];
  private readonly top = el('span', { class: 'top-value' });
  private readonly image = svg('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: 'none',
    role: 'img',
  });
  private pointedAt: number | null = null;

  constructor(live: Live, title: string, series: Series[], show: (value: number | null) => string) {
    this.live = live;
    this.series = series;
    this.show = show;
    this.values = series.map(() => el('b', {}));
    const plot = el('div', { class: 'plot' }, this.image, this.top);
    plot.addEventListener('pointermove', ({ offsetX }) => this.point(1 - offsetX / plot.clientWidth));
    plot.addEventListener('pointerleave', () => this.point(null));
    this.node = el(
      'figure',
      { class: 'chart' },
      el(
        'figcaption',
        {},
        el('h2', {}, title),
        ...series.map(({ name }, i) =>
          el('span', { class: `key series-${i}` }, name, this.values[i] ?? null),
        ),
      ),
      plot,
      el('p', { class: 'axis', 'aria-hidden': 'true' }, el('span', {}, '5 min ago'), el('span', {}, 'now')),
    );
    this.image.setAttribute('aria-label', title);
  }

  update(): void {
    const { samples } = this.live;
    const last = samples.at(-1) as Sample;
    const shown = samples.filter(({ at }) => at > last.at - SPAN_MS);
    const top = roundUp(
      Math.max(...shown.flatMap((sample) => this.series.map(({ value }) => value(sample) ?? 0))),
    );
    const x = ({ at }: Sample) => WIDTH * (1 - (last.at - at) / SPAN_MS);
    const y = (value: number) => (HEIGHT - 1) * (1 - value / top) + 0.5;
    const lines = this.series.map(({ value }, i) => {
      let lastAt = Number.NEGATIVE_INFINITY;
      const steps = shown.map((sample) => {
        const found = value(sample);
        if (found === null) return '';
        const step = sample.at - lastAt > GAP_MS ? 'M' : 'L';
        lastAt = sample.at;
        return `${step}${x(sample).toFixed(1)} ${y(found).toFixed(1)}`;
      });
      return svg('path', { class: `line series-${i}`, d: steps.join('') });
    });
    const grid = [0.5, HEIGHT / 2, HEIGHT - 0.5].map((at) =>
      svg('path', { class: 'grid', d: `M0 ${at}H${WIDTH}` }),
    );
    const pointed = this.pointed(shown) ?? last;
    const pointer =
      pointed === last ? [] : [svg('path', { class: 'pointer', d: `M${x(pointed)} 0V${HEIGHT}` })];
    this.image.replaceChildren(...grid, ...lines, ...pointer);
    this.top.textContent = this.show(top);
    for (const [i, { value }] of this.series.entries())
      (this.values[i] as HTMLElement).textContent = this.show(value(pointed));
  }

  /** Shows the values at a share of the chart's width, counted from its right edge; null for the newest. */
  private point(share: number | null): void {
    this.pointedAt = share === null ? null : (this.live.samples.at(-1) as Sample).at - share * SPAN_MS;
    this.update();
  }

  private pointed(shown: Sample[]): Sample | undefined {
    const { pointedAt } = this;
    return pointedAt === null ? undefined : shown.find(({ at }) => at >= pointedAt);
  }
}

/** The next of 1, 2 and 5 times a power of ten. */
function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5].find((step) => step * power >= value) ?? 10);
}

function svg(tag: string, attributes: Record<string, string>): SVGElement {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}
