import { type Child, copyButton, el } from '../../shared/dom.ts';
import { keepFocus } from './focus.ts';
import { notify } from './notice.ts';

/** Opens a dialog that is removed when it closes. The focus then returns to where it was, or to the heading if that is gone. */
export function openDialog(title: string, ...content: Child[]): HTMLDialogElement {
  const dialog = el(
    'dialog',
    { 'aria-labelledby': 'dialog-title', onclose: () => close() },
    el('h2', { id: 'dialog-title' }, title),
    ...content,
  );
  const close = () => {
    dialog.remove();
    keepFocus();
  };
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Closes the open dialog, if there is one. */
export function closeDialog(): void {
  document.querySelector<HTMLDialogElement>('dialog[open]')?.close();
}

/** Asks for confirmation, then runs `act`. Shows an error if that fails, even if the dialog has been closed meanwhile. */
export function confirm(title: string, text: Child, verb: string, act: () => Promise<unknown>): void {
  const failure = el('p', { class: 'failed', role: 'alert' });
  const yes = el('button', { type: 'button', class: 'send' }, verb);
  const no = el('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel');
  yes.addEventListener('click', async () => {
    yes.disabled = true;
    try {
      await act();
      dialog.close();
    } catch (error) {
      const { message } = error as Error;
      failure.textContent = message;
      yes.disabled = false;
      if (!dialog.open) notify(message, true);
    }
  });
  const dialog = openDialog(title, el('p', {}, text), failure, el('p', { class: 'buttons' }, yes, no));
}

/** Shows all members of a record. */
export function showRecord(title: string, record: object): void {
  const text = JSON.stringify(record, null, 2);
  const close = el('button', { type: 'button', onclick: () => dialog.close() }, 'Close');
  const dialog = openDialog(
    title,
    el('pre', { tabindex: '0' }, text),
    el(
      'p',
      { class: 'buttons' },
      close,
      copyButton('the record', () => text),
    ),
  );
}
