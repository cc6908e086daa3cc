import { byId } from '../../shared/dom.ts';

/** Shows the result of an operator's action at the bottom of the page. */
export function notify(text: string, isFailure = false): void {
  const notice = byId('notice');
  notice.textContent = text;
  notice.classList.toggle('failed', isFailure);
}

/** Runs an operator's action and shows its result. */
export async function attempt(act: () => Promise<string>): Promise<void> {
  try {
    notify(await act());
  } catch (error) {
    notify((error as Error).message, true);
  }
}
