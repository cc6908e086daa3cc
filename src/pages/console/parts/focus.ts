/** Gives the focus to the heading if what had it is gone: a key pressed next must neither start at the top nor act on another row. */
export function keepFocus(): void {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body)
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}
