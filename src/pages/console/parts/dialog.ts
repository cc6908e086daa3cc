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

/** What an action that takes long has of its dialog. */
export interface Progress {
  /** Says in the dialog how far it is. */
  say: (text: string) => void;
  /** Aborted when the dialog is closed, also with the page. */
  signal: AbortSignal;
}

/** Asks for confirmation, then runs `act`. Shows an error if that fails, even if the dialog has been closed meanwhile. */
export function confirm(
  title: string,
  text: Child,
  verb: string,
  act: (progress: Progress) => Promise<unknown>,
): void {
  const failure = el('p', { class: 'failed', role: 'alert' });
  const state = el('p', { class: 'note', role: 'status' });
  const say = (how: string) => {
    state.textContent = how;
  };
  const closed = new AbortController();
  const yes = el('button', { type: 'button', class: 'send' }, verb);
  const no = el('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel');
  yes.addEventListener('click', async () => {
    yes.disabled = true;
    failure.textContent = '';
    try {
      await act({ say, signal: closed.signal });
      dialog.close();
    } catch (error) {
      const { message } = error as Error;
      say('');
      failure.textContent = message;
      yes.disabled = false;
      if (!dialog.open) notify(message, true);
    }
  });
  const buttons = el('p', { class: 'buttons' }, yes, no);
  const dialog = openDialog(title, el('p', {}, text), failure, state, buttons);
  dialog.addEventListener('close', () => closed.abort());
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
