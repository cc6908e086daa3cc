export type Child = Node | string | null;
type Value = string | number | boolean | ((event: Event) => void);

/** An element with its attributes and children. A function is a listener of the event whose name follows `on`. */
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

/** A part that is made when it is first unfolded, since types may contain themselves. */
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

/** A button that copies what `text` gives. */
export function copyButton(what: string, text: () => string): HTMLButtonElement {
  const button = el('button', { type: 'button', class: 'quiet' });
  // Its name begins with what one sees.
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
    // Pages without TLS have no clipboard but on this machine.
    const area = el('textarea', { 'aria-hidden': 'true' });
    area.value = text;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    return isCopied;
  }
}
