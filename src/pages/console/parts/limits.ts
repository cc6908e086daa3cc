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

/** A form with the limits of a record; it changes those that were edited. `onSaved` gets the record as it is then. */
export class LimitsForm {
  readonly node: HTMLFormElement;
  private readonly api: Api;
  private readonly path: string;
  private readonly limits: Limit[];
  private readonly onSaved: (record: object) => void;
  private readonly inputs = new Map<string, HTMLInputElement>();
  private readonly save = el('button', { type: 'submit', class: 'send' }, 'Save limits');
  private readonly state = el('p', { class: 'note', role: 'status' });
  /** The limits as they were read or saved last. */
  private present: Values = {};

  constructor(api: Api, path: string, limits: Limit[], onSaved: (record: object) => void) {
    this.api = api;
    this.path = path;
    this.limits = limits;
    this.onSaved = onSaved;
    this.node = el(
      'form',
      {
        class: 'limits',
        onsubmit: (event) => {
          event.preventDefault();
          void this.send();
        },
      },
      ...limits.map((limit) => this.field(limit)),
      el('p', { class: 'buttons' }, this.save),
      this.state,
    );
  }

  /** Shows the limits of the record, but what was edited stays. */
  show(record: object): void {
    const edited = this.edited();
    this.present = Object.fromEntries(
      this.limits.map(({ name }) => [name, (record as Values)[name] ?? null]),
    );
    for (const [name, input] of this.inputs)
      if (!(name in edited)) input.value = String(this.present[name] ?? '');
    this.say('');
  }

  private field({ name, label, help, min, max, isOptional }: Limit): HTMLElement {
    const input = el('input', {
      type: 'number',
      min,
      max,
      required: isOptional !== true,
      placeholder: isOptional ? 'none' : '',
      'aria-describedby': `help-${name}`,
    });
    this.inputs.set(name, input);
    const about = el('span', { class: 'muted', id: `help-${name}` }, help);
    return el('label', {}, el('span', {}, label), input, about);
  }

  private edited(): Values {
    const values = [...this.inputs].map(([name, input]): [string, number | null] => [
      name,
      input.value === '' ? null : Number(input.value),
    ]);
    return Object.fromEntries(values.filter(([name, value]) => value !== (this.present[name] ?? null)));
  }

  private say(text: string, isFailure = false): void {
    this.state.textContent = text;
    this.state.classList.toggle('failed', isFailure);
  }

  private async send(): Promise<void> {
    const body = this.edited();
    if (Object.keys(body).length === 0) {
      this.say('Nothing has been changed.');
      return;
    }
    this.save.disabled = true;
    try {
      const saved = await this.api.send<object>('PATCH', this.path, { body });
      Object.assign(this.present, body);
      this.onSaved(saved);
      this.say('Saved: it holds for calls from now on.');
    } catch (error) {
      this.say((error as Error).message, true);
    }
    this.save.disabled = false;
  }
}

type Values = Record<string, number | null>;
