import type { AuditRecord } from '../../../client/records.ts';
import { type Child, el } from '../../shared/dom.ts';
import { duration, moment, percent } from '../format.ts';

const COLOURS: Record<string, string> = {
  running: 'good',
  succeeded: 'good',
  enabled: 'good',
  active: 'good',
  queued: 'quiet',
  connecting: 'quiet',
  draining: 'warn',
  expired: 'warn',
  canceled: 'quiet',
  disabled: 'warn',
  paused: 'warn',
  failed: 'bad',
  missing: 'bad',
  unauthorized: 'bad',
};

/** A state in its colour. */
export function badge(state: string, text = state): HTMLElement {
  return el('span', { class: `badge ${COLOURS[state] ?? 'quiet'}` }, text);
}

/** A share as a bar and a number. A high load has a colour of its own. */
export function bar(share: number, isLoad = false): HTMLElement {
  const level = !isLoad || share <= 0.7 ? '' : share > 0.85 ? ' bad' : ' warn';
  const fill = el('span', { class: `fill${level}` });
  fill.style.width = `${Math.min(100, Math.max(0, share * 100))}%`;
  return el(
    'span',
    { class: 'bar' },
    el('span', { class: 'track', 'aria-hidden': 'true' }, fill),
    percent(share),
  );
}

/** An id, abbreviated to its beginning and end; whole in its tooltip; a link if `href` is given. */
export function idText(id: string, href?: string): HTMLElement {
  const [prefix = '', rest = ''] = id.split('_');
  const short = rest.length > 12 ? `${prefix}_…${rest.slice(-7)}` : id;
  return href === undefined
    ? el('code', { title: id }, short)
    : el('a', { href, title: id }, el('code', {}, short));
}

/** A time in the past, shown as how long before `now` it was; both by the clock of Redis, since the browser's may be wrong. */
export function ago(iso: string, now: string): HTMLElement {
  const ms = Date.parse(now) - Date.parse(iso);
  return el('time', { datetime: iso, title: moment(iso) }, ms < 1_500 ? 'now' : `${duration(ms)} ago`);
}

export function timeText(iso: string | null): Child {
  return iso === null ? '–' : el('time', { datetime: iso, title: iso }, moment(iso));
}

/** A cell of two lines: the main text, and details. */
export function stacked(first: Child, second: Child): HTMLElement {
  return el('div', { class: 'stacked' }, first, el('span', { class: 'muted' }, second));
}

/** Who has changed something. The root key has no id; another key may have the same name. */
export function actorText({ id, name }: AuditRecord['by']): Child {
  return id === null ? name : stacked(name, idText(id));
}

/** A small button in a row. */
export function action(name: string, label: string, onclick: () => void): HTMLElement {
  return el('button', { type: 'button', class: 'small', 'aria-label': `${name} ${label}`, onclick }, name);
}
