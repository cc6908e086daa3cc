export type Child = Node | string | null;
type Value = string | number | boolean | ((event: Event) => void);

/** Creates an element with its attributes and children. An attribute that is a function listens to the event whose name follows `on`. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, Value> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name.slice('on'.length), value);
    else if (value !== false) node.setAttribute(name, value === true ? '' : String(value));
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** The element of the page with this id. */
export function byId<Type extends HTMLElement>(id: string): Type {
  return document.getElementById(id) as Type;
}

/** A part whose content is made when it is first unfolded, because types may contain themselves. */
export function unfolding(summary: Child[], make: () => Child[], attributes = {}): HTMLDetailsElement {
  const node = el('details', attributes, el('summary', {}, ...summary));
  let isMade = false;
  node.addEventListener('toggle', () => {
    if (isMade || !node.open) return;
    isMade = true;
    node.append(...make().filter((child) => child !== null));
  });
  return node;
}

/** A button that copies the result of `text`. */
export function copyButton(what: string, text: () => string): HTMLButtonElement {
  const button = el('button', { type: 'button', class: 'quiet' });
  // The accessible name begins with the visible text.
  const say = (word: string) => {
    button.textContent = word;
    button.setAttribute('aria-label', `${word} ${what}`);
  };
  say('Copy');
  button.addEventListener('click', async () => {
    say((await copy(text())) ? 'Copied' : 'Not copied:');
    setTimeout(() => say('Copy'), 1_500);
  });
  return button;
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without TLS, browsers offer the clipboard API to localhost only.
    const area = el('textarea', { 'aria-hidden': 'true' });
    area.value = text;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    return isCopied;
  }
}
