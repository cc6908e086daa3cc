import { codeBlock } from './code.ts';
import type { Connection } from './connection.ts';
import { copyButton, el } from './dom.ts';
import type { Ready } from './request.ts';

// A stream has no end; a page has.
const SHOWN_MAX = 1_000_000;

/** Sends a request and shows what is answered, while it comes. Gives the parsed body, or null. */
export async function sendRequest(
  connection: Connection,
  { verb, url, headers, body }: Ready,
  place: HTMLElement,
  signal: AbortSignal,
): Promise<unknown> {
  const startedAt = performance.now();
  place.replaceChildren(el('p', { class: 'muted' }, 'Waiting for the answer…'));
  try {
    const key: Record<string, string> =
      connection.key === '' ? {} : { Authorization: `Bearer ${connection.key}` };
    const response = await fetch(url, { method: verb, headers: { ...key, ...headers }, body, signal });
    let text = '';
    const show = () => showAnswer(connection, place, response, text, performance.now() - startedAt);
    if (response.headers.get('content-type')?.includes('event-stream')) show();
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      text = (text + part.value).slice(-SHOWN_MAX);
      if (response.headers.get('content-type')?.includes('event-stream')) show();
    }
    show();
    return parse(text);
  } catch (error) {
    if (signal.aborted) place.append(el('p', { class: 'muted' }, 'Stopped.'));
    else place.replaceChildren(el('p', { class: 'failed' }, `No answer: ${(error as Error).message}`));
    return null;
  }
}

function showAnswer(
  connection: Connection,
  place: HTMLElement,
  response: Response,
  text: string,
  tookMs: number,
): void {
  const parsed = parse(text);
  const shown = parsed === null ? text : JSON.stringify(parsed, null, 2);
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const { code = '' } = (parsed ?? {}) as { code?: string };
  const isProblem = response.headers.get('content-type')?.includes('problem+json') === true;
  place.replaceChildren(
    el(
      'p',
      { class: 'answer-line' },
      el(
        'strong',
        { class: response.ok ? 'status ok' : 'status failed' },
        `${response.status} ${response.statusText}`,
      ),
      ` in ${Math.round(tookMs)} ms `,
      isProblem
        ? el('a', { href: `${connection.url}/problems/${encodeURIComponent(code)}` }, 'What this error means')
        : null,
      copyButton('the answer', () => shown),
    ),
    shown === ''
      ? el('p', { class: 'muted' }, 'The answer has no body.')
      : codeBlock(shown, parsed === null ? 'plain' : 'json', 'Body of the answer'),
    el('details', {}, el('summary', {}, 'Headers'), codeBlock(headers, 'plain', 'Headers of the answer')),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
