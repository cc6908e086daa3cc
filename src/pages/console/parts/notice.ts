import { byId } from '../../shared/dom.ts';

/** Says at the foot of the page what has become of something the operator has asked for. */
export function notify(text: string, isFailure = false): void {
  const notice = byId('notice');
  notice.textContent = text;
  notice.classList.toggle('failed', isFailure);
}

/** Does something the operator has asked for, and says how it went. */
export async function attempt(act: () => Promise<string>): Promise<void> {
  try {
    notify(await act());
  } catch (error) {
    notify((error as Error).message, true);
  }
}
