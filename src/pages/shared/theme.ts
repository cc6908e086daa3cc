import { byId } from './dom.ts';
import { browserStorage } from './storage.ts';

const STORED_AS = 'switchboard.theme';
const NEXT: Record<string, string> = { system: 'light', light: 'dark', dark: 'system' };

/** Sets up the button that chooses between light, dark and the system's theme. */
export function installTheme(): void {
  const button = byId<HTMLButtonElement>('theme');
  const show = (theme: string) => {
    document.documentElement.dataset.theme = theme;
    button.textContent = theme === 'system' ? 'Auto' : theme === 'light' ? 'Light' : 'Dark';
    button.setAttribute('aria-label', `Colours: ${button.textContent}`);
  };
  show(browserStorage.getItem(STORED_AS) ?? 'system');
  button.addEventListener('click', () => {
    const theme = NEXT[document.documentElement.dataset.theme ?? ''] ?? 'system';
    browserStorage.setItem(STORED_AS, theme);
    show(theme);
  });
}
