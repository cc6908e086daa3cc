import { copyButton, el } from '../shared/dom.ts';
import { codeBlock } from './code.ts';
import type { Connection } from './connection.ts';
import { exampleOf } from './example.ts';
import type { Operation, Parameter, Reference } from './reference.ts';
import { collectionOf, type Form, readyRequest, slotOf, withOwnIds } from './request.ts';
import { toCurl, toTypescript } from './samples.ts';
import { sendRequest } from './send.ts';

const HIDDEN_KEY = '••••••••';

interface TypedForm extends Form {
  /** Whether the body was typed: no example replaces it. */
  isBodyTyped: boolean;
}

/** What was typed for each operation while the page is open. */
const forms = new Map<string, TypedForm>();

/** The form of an operation: its values, the request as code, and the answer. */
export class TryIt {
  readonly node: HTMLElement;
  private readonly connection: Connection;
  private readonly reference: Reference;
  private readonly operation: Operation;
  private readonly form: TypedForm;
  private readonly inputs = new Map<string, HTMLInputElement>();
  private readonly body = el('textarea', { id: 'body', spellcheck: 'false', autocomplete: 'off' });
  private readonly samples = el('div', { class: 'samples' });
  private readonly answer = el('div', { class: 'answer', 'aria-live': 'polite' });
  private readonly note = el('p', { class: 'muted', hidden: true });
  private readonly button: HTMLButtonElement;
  private language: 'curl' | 'TypeScript' = 'curl';
  /** The key and the account whose example was requested. */
  private askedFor = '';
  private sending: AbortController | null = null;

  constructor(connection: Connection, reference: Reference, operation: Operation) {
    this.connection = connection;
    this.reference = reference;
    this.operation = operation;
    this.form = forms.get(operation.id) ?? { values: {}, body: '', isBodyTyped: false };
    forms.set(operation.id, this.form);
    this.button = el('button', { type: 'submit', class: 'send' }, `Send ${operation.verb}`);
    this.node = this.build();
    if (this.form.isBodyTyped) this.showBody();
    this.fill();
  }

  /** Fills in the current key and ids. */
  fill(): void {
    for (const parameter of this.operation.parameters) {
      const input = this.inputs.get(slotOf(parameter));
      const collection = collectionOf(this.operation, parameter);
      if (input === undefined || collection === null) continue;
      input.value = this.connection.id(collection) || input.value;
      this.form.values[slotOf(parameter)] = input.value;
    }
    if (!this.form.isBodyTyped && this.askedFor !== this.chosen) this.setBody(this.exampleBody());
    this.showSamples();
    void this.findOwnExample();
  }

  /** Ends the running request, because its answer is no longer shown. */
  close(): void {
    this.sending?.abort();
  }

  private build(): HTMLElement {
    const { parameters, body } = this.operation;
    const needed = parameters.filter(isNeeded);
    const others = parameters.filter((parameter) => !needed.includes(parameter));
    this.body.addEventListener('input', () => {
      this.form.isBodyTyped = true;
      this.form.body = this.body.value;
      this.showSamples();
    });
    this.body.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void this.send();
    });
    return el(
      'section',
      { class: 'try', 'aria-label': 'Try it' },
      el(
        'form',
        {
          autocomplete: 'off',
          onsubmit: (event) => {
            event.preventDefault();
            void this.send();
          },
        },
        el('h2', {}, 'Try it'),
        this.note,
        ...needed.map((parameter) => this.input(parameter)),
        others.length === 0
          ? null
          : el(
              'details',
              { open: others.some((one) => this.form.values[slotOf(one)]) },
              el('summary', {}, `Options (${others.length})`),
              ...others.map((one) => this.input(one)),
            ),
        body === null ? null : el('label', { class: 'row', for: 'body' }, el('span', {}, 'Body'), this.body),
        el('p', { class: 'buttons' }, this.button),
      ),
      this.answer,
      this.samples,
    );
  }

  private input(parameter: Parameter): HTMLElement {
    const slot = slotOf(parameter);
    const input = el('input', { placeholder: isNeeded(parameter) ? 'required' : '', spellcheck: 'false' });
    input.value = this.form.values[slot] ?? '';
    this.inputs.set(slot, input);
    input.addEventListener('input', () => {
      this.form.values[slot] = input.value.trim();
      this.showSamples();
    });
    input.addEventListener('change', () => {
      const collection = collectionOf(this.operation, parameter);
      if (collection !== null) this.connection.setId(collection, input.value.trim());
    });
    return el('label', { class: 'row' }, el('span', {}, parameter.name), input);
  }

  private get chosen(): string {
    return `${this.connection.key} ${this.connection.accountId}`;
  }

  private exampleBody(): unknown {
    const { body } = this.operation;
    if (body === null) return null;
    return withOwnIds(this.connection, body.example ?? exampleOf(this.reference, body.schema ?? {}));
  }

  private setBody(value: unknown): void {
    this.form.body = value === null ? '' : JSON.stringify(value, null, 2);
    this.showBody();
  }

  private showBody(): void {
    this.body.value = this.form.body;
    this.body.rows = Math.min(24, Math.max(4, this.form.body.split('\n').length + 1));
  }

  /** Asks for an example that succeeds for the chosen account. */
  private async findOwnExample(): Promise<void> {
    const { method } = this.operation;
    const { key, accountId } = this.connection;
    if (method === null || key === '' || accountId === '' || this.askedFor === this.chosen) return;
    const { chosen } = this;
    this.askedFor = chosen;
    this.note.hidden = true;
    try {
      const path = `/v1/methods/${method}?messengerAccountId=${encodeURIComponent(accountId)}`;
      const { executed, example } = await this.connection.read<{ executed: boolean; example: object | null }>(
        path,
      );
      // The answer may come after another account was chosen.
      if (chosen !== this.chosen) return;
      this.note.hidden = executed && example !== null;
      this.note.textContent = executed
        ? 'No example succeeds for this account: it has nothing that the method acts on.'
        : 'The driver of this account does not execute this method.';
      if (this.form.isBodyTyped || example === null) return;
      this.setBody(example);
      this.showSamples();
    } catch {
      // The example of the document stays.
    }
  }

  private showSamples(): void {
    const ready = readyRequest(this.connection, this.operation, this.form);
    const toText = (key: string) => {
      if (this.language === 'curl') return toCurl(ready, key);
      try {
        return toTypescript(this.connection, this.operation, this.form, ready);
      } catch {
        return 'The body is not JSON yet.';
      }
    };
    const tabs = (['curl', 'TypeScript'] as const).map((language) =>
      el(
        'button',
        {
          type: 'button',
          class: 'tab',
          'aria-pressed': String(language === this.language),
          onclick: () => {
            this.language = language;
            this.showSamples();
            this.samples.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
          },
        },
        language,
      ),
    );
    const { key } = this.connection;
    this.samples.replaceChildren(
      el(
        'p',
        { class: 'tabs' },
        ...tabs,
        copyButton(this.language, () => toText(key || '<API key>')),
      ),
      codeBlock(toText(key === '' ? '<API key>' : HIDDEN_KEY), 'code', this.language),
      key === '' || this.language !== 'curl'
        ? el('span')
        : el('p', { class: 'muted' }, 'The copy contains your key.'),
    );
  }

  private async send(): Promise<void> {
    if (this.sending !== null) return this.sending.abort();
    this.sending = new AbortController();
    this.button.textContent = 'Stop';
    const ready = readyRequest(this.connection, this.operation, this.form);
    const answer = await sendRequest(this.connection, ready, this.answer, this.sending.signal);
    this.sending = null;
    this.button.textContent = `Send ${this.operation.verb}`;
    const [, collection] = /^\/v1\/([a-z-]+)$/.exec(this.operation.path) ?? [];
    const record = (answer ?? {}) as { id?: unknown };
    // The next request is probably about the record that was just created.
    if (collection !== undefined && typeof record.id === 'string')
      this.connection.addRecord(collection, record as { id: string });
  }
}

function isNeeded({ in: place, required }: Parameter): boolean {
  return place === 'path' || required === true;
}
