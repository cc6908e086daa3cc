import { el } from '../../shared/dom.ts';
import { attempt } from '../parts/notice.ts';
import { RetriedRead } from '../retried-read.ts';
import type { RateLimit, Settings, SettingValue } from '../types.ts';
import type { Context, View } from '../view.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const RATE = /^(\d+)\/(\d+)$/;

/** The settings that every process follows without a restart, as a form. */
export function settings({ api }: Context): View {
  const form = el('form', { class: 'limits', 'aria-label': 'Settings', autocomplete: 'off' });
  const state = el('p', { class: 'note', role: 'status' }, 'Reading…');
  const inputs = new Map<string, HTMLInputElement | HTMLSelectElement>();
  // As they were read or saved last, by name.
  const present = new Map<string, string>();

  // What was edited stays, also where it is being typed.
  function show(found: Settings): void {
    const { effective, ...set } = found;
    const isFirst = inputs.size === 0;
    for (const [name, value] of Object.entries(set)) {
      const isEdited = edited(name);
      const input = inputs.get(name) ?? inputOf(name);
      inputs.set(name, input);
      showEffective(input, effective[name] ?? null);
      present.set(name, textOf(value as SettingValue));
      if (!isEdited) input.value = present.get(name) ?? '';
    }
    if (isFirst) {
      form.replaceChildren(
        ...[...inputs].map(([name, input]) => fieldOf(name, input)),
        el('p', { class: 'buttons' }, el('button', { type: 'submit', class: 'send' }, 'Save settings')),
      );
    }
    say('');
  }
  function edited(name: string): boolean {
    return inputs.get(name)?.value.trim() !== present.get(name);
  }
  function say(text: string, isFailure = false): void {
    if (state.textContent !== text) state.textContent = text;
    state.classList.toggle('failed', isFailure);
  }
  const reading = new RetriedRead<Settings>(api, '/v1/settings', show, (message) => say(message, true));
  const save = () =>
    attempt(async () => {
      const changed = [...inputs].filter(([name]) => edited(name));
      if (changed.length === 0) return 'Nothing has been changed.';
      const sent = changed.map(([name, input]): [string, string] => [name, input.value.trim()]);
      const body = Object.fromEntries(sent.map(([name, text]) => [name, toValue(name, text)]));
      const saved = await api.send<Settings>('PATCH', '/v1/settings', { body });
      for (const [name, text] of sent) present.set(name, text);
      reading.take(saved);
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
  return { node, close: () => reading.stop(), refresh: reading.refresh };
}

function fieldOf(name: string, input: HTMLElement): HTMLElement {
  const help = isRate(name) ? el('span', { class: 'muted' }, 'Calls/seconds, such as 1000/60.') : null;
  return el('label', {}, el('span', {}, titleOf(name)), input, help);
}

function inputOf(name: string): HTMLInputElement | HTMLSelectElement {
  if (name !== 'logLevel') return el('input', { spellcheck: 'false', maxlength: 30 });
  const levels = LOG_LEVELS.map((level) => el('option', { value: level }, level));
  return el('select', {}, el('option', { value: '' }), ...levels);
}

/** Shows the value that holds while none is set. */
function showEffective(input: HTMLInputElement | HTMLSelectElement, effective: SettingValue): void {
  const shown = textOf(effective) || 'none';
  if (input instanceof HTMLInputElement) input.placeholder = shown;
  else (input.options[0] as HTMLOptionElement).textContent = `Not set (now ${shown})`;
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
