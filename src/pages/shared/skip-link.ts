import { byId } from './dom.ts';

/** Lets the skip link go to the content and leave the address alone, whose hash names what is shown. */
export function installSkipLink(): void {
  document.querySelector('.skip')?.addEventListener('click', (event) => {
    event.preventDefault();
    byId('main').focus();
  });
}
