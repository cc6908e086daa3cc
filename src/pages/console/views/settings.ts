import { type Child, el } from '../../shared/dom.ts';
import { attempt } from '../parts/notice.ts';
import type { RateLimit, Settings, SettingValue } from '../types.ts';
import type { Context, View } from '../view.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const RATE = /^(\d+)\/(\d+)$/;

/** The settings that every process follows without a restart, as a form. */
export function settings({ api }: Context): View {
  const form = el('form', { class: 'limits', 'aria-label': 'Settings', autocomplete: 'off' });
  const state = el('p', { class: 'note', role: 'status' }, 'Reading…');
  const inputs = new Map<string, HTMLInputElement | HTMLSelectElement>();
  let present: Settings | null = null;

  function show(found: Settings): void {
    present = found;
    inputs.clear();
    const { effective, ...set } = found;
    const fields = Object.entries(set).map(([name, value]): Child => {
      const input = inputOf(name, effective[name] ?? null);
      input.value = textOf(value as SettingValue);
      inputs.set(name, input);
      const help = isRate(name) ? el('span', { class: 'muted' }, 'Calls/seconds, such as 1000/60.') : null;
      return el('label', {}, el('span', {}, titleOf(name)), input, help);
    });
    form.replaceChildren(
      ...fields.filter((field) => field !== null),
      el('p', { class: 'buttons' }, el('button', { type: 'submit', class: 'send' }, 'Save settings')),
    );
    state.textContent = '';
    state.classList.remove('failed');
  }
  const read = () =>
    api.get<Settings>('/v1/settings').then(show, (error: Error) => {
      state.textContent = error.message;
      state.classList.add('failed');
    });
  const save = () =>
    attempt(async () => {
      const changed = [...inputs].filter(
        ([name, input]) => input.value.trim() !== textOf((present?.[name] ?? null) as SettingValue),
      );
      if (changed.length === 0) return 'Nothing has been changed.';
      const body = Object.fromEntries(
        changed.map(([name, input]) => [name, toValue(name, input.value.trim())]),
      );
      show(await api.send<Settings>('PATCH', '/v1/settings', { body }));
      return 'Saved: every process follows within a second.';
    });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void save();
  });
  const node = el(
    'div',
    {},
    el('h1', { tabindex: '-1' }, 'Settings'),
    el(
      'p',
      { class: 'lead' },
      'They hold in all processes, without a restart. An empty field leaves it to the configuration of each process; in grey what holds here.',
    ),
    state,
    form,
  );
  void read();
  return { node, close: () => undefined, refresh: () => void read() };
}

function inputOf(name: string, effective: SettingValue): HTMLInputElement | HTMLSelectElement {
  const shown = textOf(effective) || 'none';
  if (name !== 'logLevel') return el('input', { placeholder: shown, spellcheck: 'false', maxlength: 30 });
  const levels = LOG_LEVELS.map((level) => el('option', { value: level }, level));
  return el('select', {}, el('option', { value: '' }, `Not set (now ${shown})`), ...levels);
}

/** `keyRateLimit` as `Key rate limit`. */
function titleOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/^Api\b/, 'API');
}

function textOf(value: SettingValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? `${value.limit}/${value.windowSeconds}` : String(value);
}

function isRate(name: string): boolean {
  return name.endsWith('RateLimit');
}

/** The typed value as the API expects it. The API reports values that it refuses. */
function toValue(name: string, text: string): SettingValue {
  if (text === '') return null;
  const [, limit, windowSeconds] = RATE.exec(text) ?? [];
  if (limit !== undefined) return { limit: Number(limit), windowSeconds: Number(windowSeconds) } as RateLimit;
  if (isRate(name)) throw new Error(`${titleOf(name)}: type calls/seconds, such as 1000/60, or nothing.`);
  return name === 'logLevel' || !/^-?\d+$/.test(text) ? text : Number(text);
}
