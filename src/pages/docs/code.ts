import { type Child, el } from '../shared/dom.ts';

// Colouring longer code takes too long.
const COLOURED_MAX = 200_000;

const TOKENS = {
  json: /("(?:[^"\\]|\\.)*")(?=\s*:)|("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*|\btrue\b|\bfalse\b|\bnull\b)/g,
  code: /(\b[A-Za-z_$][\w$]*)(?=:\s)|('(?:[^'\\]|\\.)*'|`[^`]*`)|(\b(?:import|from|const|new|await|for|of|process|curl)\b|\b\d+\b)/g,
};

/** A block of code, coloured unless it is `plain`. */
export function codeBlock(
  text: string,
  language: keyof typeof TOKENS | 'plain',
  label: string,
): HTMLPreElement {
  const isPlain = language === 'plain' || text.length > COLOURED_MAX;
  const parts = isPlain ? [text] : [...colour(text, TOKENS[language])];
  // Focusable, so that long lines can be scrolled without a mouse.
  return el('pre', { tabindex: 0, role: 'region', 'aria-label': label }, el('code', {}, ...parts));
}

function* colour(text: string, tokens: RegExp): Generator<Child> {
  let from = 0;
  for (const found of text.matchAll(tokens)) {
    const [whole, name, string] = found;
    yield text.slice(from, found.index);
    yield el(
      'span',
      { class: name !== undefined ? 'tok-name' : string !== undefined ? 'tok-text' : 'tok-word' },
      whole,
    );
    from = found.index + whole.length;
  }
  yield text.slice(from);
}
