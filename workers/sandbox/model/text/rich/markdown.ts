import { Marked, type TokenizerAndRendererExtension } from 'marked';

const HTML_CHARACTERS: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

// The search for the end of an opening mark is bounded, so that a hostile text takes little time. Marks of rich messages beyond GitHub's
// markdown are converted to their HTML tags.
const marked = new Marked({
  gfm: true,
  extensions: [
    formula('mathBlock', 'block', /^\$\$([\s\S]{1,4096}?)\$\$(?:\n|$)/, 'tg-math-block'),
    formula('math', 'inline', /^\$(?!\s)((?:\\\$|[^$\n]){1,512}?)(?<!\s)\$(?!\d)/, 'tg-math'),
    mark('marked', /^==(?!\s)([\s\S]{1,4096}?)(?<!\s)==/, 'mark'),
    mark('spoiler', /^\|\|(?!\s)([\s\S]{1,4096}?)(?<!\s)\|\|/, 'tg-spoiler'),
  ],
  renderer: {
    // An address that is not marked as one is a text like others, in which links are found later.
    link({ raw, text, tokens }) {
      return raw === text && this.parser.parseInline(tokens);
    },
    code({ text, lang = '' }) {
      if (lang === 'math') return `<tg-math-block>${escapeHtml(text)}</tg-math-block>`;
      const language = lang.trim().split(/\s/, 1)[0] ?? '';
      return `<pre><code class="language-${escapeHtml(language)}">${escapeHtml(text)}</code></pre>`;
    },
  },
});

/** The HTML of a markdown text. */
export function markdownToHtml(markdown: string): string {
  return marked.parse(markdown, { async: false });
}

function formula(
  name: string,
  level: 'block' | 'inline',
  pattern: RegExp,
  tag: string,
): TokenizerAndRendererExtension {
  return {
    name,
    level,
    start: (source) => source.indexOf(level === 'block' ? '\n$$' : '$'),
    tokenizer(source) {
      const match = pattern.exec(source);
      return match ? { type: name, raw: match[0], text: (match[1] as string).trim() } : undefined;
    },
    renderer: ({ text }) => `<${tag}>${escapeHtml(text)}</${tag}>`,
  };
}

function mark(name: string, pattern: RegExp, tag: string): TokenizerAndRendererExtension {
  const opening = pattern.source.includes('==') ? '==' : '||';
  return {
    name,
    level: 'inline',
    start: (source) => source.indexOf(opening),
    tokenizer(source) {
      const match = pattern.exec(source);
      if (!match) return undefined;
      return {
        type: name,
        raw: match[0],
        tokens: this.lexer.inlineTokens(match[1] as string),
      };
    },
    renderer(token) {
      return `<${tag}>${this.parser.parseInline(token.tokens ?? [])}</${tag}>`;
    },
  };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => HTML_CHARACTERS[character] as string);
}
