const HALF_AT_END = /[\uD800-\uDBFF]$/;

/** A text as it is stored: at most `max` UTF-16 units, no white space at its ends, and no half of a surrogate pair. */
export function cutText(given: string, max: number): string {
  const text = given.trim();
  // The second trim removes a space that the cut has moved to the end.
  return text.length <= max
    ? text.toWellFormed()
    : text.slice(0, max).replace(HALF_AT_END, '').trimEnd().toWellFormed();
}
