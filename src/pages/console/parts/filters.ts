import { el } from '../../shared/dom.ts';

/** A field of a filter: free text, or one of a few values. */
export interface Field {
  name: string;
  label: string;
  placeholder?: string;
  /** The values and their labels; absent for free text. */
  values?: Record<string, string>;
}

/** A form of filters that reports each change. */
export class Filters {
  readonly node: HTMLFormElement;
  private readonly inputs = new Map<string, HTMLInputElement | HTMLSelectElement>();

  constructor(label: string, fields: Field[], given: Record<string, string>, onChange: () => void) {
    this.node = el('form', {
      class: 'filters',
      role: 'search',
      'aria-label': label,
      autocomplete: 'off',
      onsubmit: (event) => {
        event.preventDefault();
        onChange();
      },
    });
    for (const field of fields) {
      const input = inputOf(field);
      input.value = given[field.name] ?? '';
      input.addEventListener('change', onChange);
      this.inputs.set(field.name, input);
      this.node.append(el('label', {}, el('span', {}, field.label), input));
    }
  }

  get values(): Record<string, string> {
    return Object.fromEntries([...this.inputs].map(([name, input]) => [name, input.value.trim()]));
  }
}

function inputOf({ values, placeholder = '' }: Field): HTMLInputElement | HTMLSelectElement {
  if (values === undefined) return el('input', { placeholder, spellcheck: 'false', maxlength: 100 });
  const options = Object.entries(values).map(([value, text]) => el('option', { value }, text));
  return el('select', {}, ...options);
}
