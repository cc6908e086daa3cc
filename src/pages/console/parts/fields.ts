import { el } from '../../shared/dom.ts';

/** A field: free text, or one of a few values. */
export interface Field {
  name: string;
  label: string;
  placeholder?: string;
  /** The values and their labels; absent for free text. */
  values?: Record<string, string>;
}

/** A form of fields that reports each change. */
export class Fields {
  readonly node: HTMLFormElement;
  /** The values by the names of their fields. A text counts once its field is left, or Enter pressed. */
  values: Record<string, string>;
  private readonly inputs = new Map<string, HTMLInputElement | HTMLSelectElement>();

  constructor(label: string, fields: Field[], given: Record<string, string>, onChange: () => void) {
    const take = () => {
      this.values = this.read();
      onChange();
    };
    this.node = el('form', {
      class: 'filters',
      role: 'search',
      'aria-label': label,
      autocomplete: 'off',
      onsubmit: (event) => {
        event.preventDefault();
        take();
      },
    });
    for (const field of fields) {
      const input = inputOf(field);
      input.value = given[field.name] ?? '';
      input.addEventListener('change', take);
      this.inputs.set(field.name, input);
      this.node.append(el('label', {}, el('span', {}, field.label), input));
    }
    this.values = this.read();
  }

  private read(): Record<string, string> {
    return Object.fromEntries([...this.inputs].map(([name, input]) => [name, input.value.trim()]));
  }
}

function inputOf({ values, placeholder = '' }: Field): HTMLInputElement | HTMLSelectElement {
  if (values === undefined) return el('input', { placeholder, spellcheck: 'false', maxlength: 100 });
  const options = Object.entries(values).map(([value, text]) => el('option', { value }, text));
  return el('select', {}, ...options);
}
