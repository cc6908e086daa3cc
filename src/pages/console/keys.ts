import { el } from '../shared/dom.ts';
import { openDialog } from './parts/dialog.ts';

const HELP: [keys: string, what: string][] = [
  ['1 – 0', 'Show a part, from left to right'],
  ['/', 'Go to the first filter'],
  ['r', 'Read anew'],
  ['p', 'Pause the stream of updates'],
  ['Esc', 'Close a dialog'],
  ['?', 'Show these keys'],
];

/** Calls `act` with each key that is pressed outside of input fields and dialogs. */
export function onShortcut(act: (key: string) => void): void {
  document.addEventListener('keydown', (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    const isTyping = target instanceof HTMLElement && target.matches('input, textarea, select');
    if (isTyping || ctrlKey || metaKey || altKey || document.querySelector('dialog[open]') !== null) return;
    if (key === '/') event.preventDefault();
    act(key);
  });
}

/** Shows the list of shortcuts. */
export function showKeys(): void {
  const close = el('button', { type: 'button', onclick: () => dialog.close() }, 'Close');
  const dialog = openDialog(
    'Keys',
    el(
      'dl',
      { class: 'keys' },
      ...HELP.map(([keys, what]) => el('div', {}, el('dt', {}, el('kbd', {}, keys)), el('dd', {}, what))),
    ),
    el('p', { class: 'buttons' }, close),
  );
}
