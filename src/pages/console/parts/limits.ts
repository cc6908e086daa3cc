import { el } from '../../shared/dom.ts';
import type { Api } from '../api.ts';

/** A limit that is shown and can be changed. */
export interface Limit {
  name: string;
  label: string;
  help: string;
  min: number;
  max: number;
  /** Whether it may be empty (no limit). */
  isOptional?: boolean;
}

/** The cap on concurrent calls of a workspace or an account. */
export const CONCURRENCY: Limit = {
  name: 'maxConcurrentCalls',
  label: 'Calls at once',
  help: 'More wait. Leave it empty for any number.',
  min: 1,
  max: 1_000_000,
  isOptional: true,
};

/** A form with the limits of a record; it changes those that were edited. */
export function limitsForm<Shown extends object>(
  api: Api,
  path: string,
  record: Shown,
  limits: Limit[],
): HTMLFormElement {
  const present = record as Record<string, number | null>;
  const state = el('p', { class: 'note', role: 'status' });
  const save = el('button', { type: 'submit', class: 'send' }, 'Save limits');
  const inputs = limits.map(({ name, help, min, max, isOptional }) => {
    const input = el('input', {
      type: 'number',
      min,
      max,
      required: isOptional !== true,
      placeholder: isOptional ? 'none' : '',
      'aria-describedby': `help-${name}`,
    });
    input.value = String(present[name] ?? '');
    return { name, input, help: el('span', { class: 'muted', id: `help-${name}` }, help) };
  });
  const say = (text: string, isFailure = false) => {
    state.textContent = text;
    state.classList.toggle('failed', isFailure);
  };
  const send = async () => {
    const changed = inputs.flatMap(({ name, input }): [string, number | null][] => {
      const value = input.value === '' ? null : Number(input.value);
      return value === (present[name] ?? null) ? [] : [[name, value]];
    });
    if (changed.length === 0) {
      say('Nothing has been changed.');
      return;
    }
    save.disabled = true;
    try {
      await api.send('PATCH', path, { body: Object.fromEntries(changed) });
      Object.assign(present, Object.fromEntries(changed));
      say('Saved: it holds for calls from now on.');
    } catch (error) {
      say((error as Error).message, true);
    }
    save.disabled = false;
  };
  return el(
    'form',
    {
      class: 'limits',
      onsubmit: (event) => {
        event.preventDefault();
        void send();
      },
    },
    ...inputs.map(({ input, help }, i) =>
      el('label', {}, el('span', {}, limits[i]?.label ?? ''), input, help),
    ),
    el('p', { class: 'buttons' }, save),
    state,
  );
}
