import { copyButton, el } from '../shared/dom.ts';
import { codeBlock } from './code.ts';
import type { Connection } from './connection.ts';
import type { Ready } from './request.ts';

const SHOWN_MAX = 1_000_000;
// A stream has no end, and all that is shown is laid out again with each chunk.
const LIVE_MAX = 100_000;

const BODY_LABEL = 'Body of the answer';

/** Sends a request and shows its answer, an event stream while it arrives. Returns the parsed body, or null. */
export async function sendRequest(
  connection: Connection,
  { verb, url, headers, body }: Ready,
  place: HTMLElement,
  signal: AbortSignal,
): Promise<unknown> {
  const startedAt = performance.now();
  place.replaceChildren(el('p', { class: 'muted' }, 'Waiting for the answer…'));
  let isShown = false;
  try {
    const key: Record<string, string> =
      connection.key === '' ? {} : { Authorization: `Bearer ${connection.key}` };
    const response = await fetch(url, { method: verb, headers: { ...key, ...headers }, body, signal });
    const tookMs = () => performance.now() - startedAt;
    if (response.headers.get('content-type')?.includes('event-stream')) {
      const live = codeBlock('', 'plain', BODY_LABEL);
      showAnswer(connection, place, response, '', tookMs(), live);
      isShown = true;
      await readTail(response, LIVE_MAX, live.firstElementChild);
      return null;
    }
    const { text, isCut } = await readTail(response, SHOWN_MAX);
    showAnswer(connection, place, response, text, tookMs());
    if (isCut) place.append(el('p', { class: 'muted' }, 'The body is too long: only its end is shown.'));
    return parse(text);
  } catch (error) {
    const { message } = error as Error;
    const end = signal.aborted
      ? el('p', { class: 'muted' }, 'Stopped.')
      : el('p', { class: 'failed' }, `${isShown ? 'Broken off' : 'No answer'}: ${message}`);
    if (isShown) place.append(end);
    else place.replaceChildren(end);
    return null;
  }
}

/** Reads a body, appends each chunk to `live` as it arrives, and keeps the last chunks: at least `max` characters if there are so many. */
async function readTail(
  response: Response,
  max: number,
  live: Element | null = null,
): Promise<{ text: string; isCut: boolean }> {
  const parts: string[] = [];
  let length = 0;
  let isCut = false;
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  live?.replaceChildren();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    parts.push(part.value);
    live?.append(part.value);
    length += part.value.length;
    for (let first = parts[0] ?? ''; length - first.length >= max; first = parts[0] ?? '') {
      length -= first.length;
      parts.shift();
      isCut = true;
      live?.firstChild?.remove();
    }
  }
  return { text: parts.join(''), isCut };
}

function showAnswer(
  connection: Connection,
  place: HTMLElement,
  response: Response,
  text: string,
  tookMs: number,
  live: HTMLElement | null = null,
): void {
  const parsed = parse(text);
  const shown = parsed === null ? text : JSON.stringify(parsed, null, 2);
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const { code = '' } = (parsed ?? {}) as { code?: string };
  const isProblem = response.headers.get('content-type')?.includes('problem+json') === true;
  // The next step, which a long `detail` ends with, is not to be scrolled for.
  place.classList.toggle('problem', isProblem);
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
      copyButton('the answer', () => live?.textContent ?? shown),
    ),
    live ??
      (shown === ''
        ? el('p', { class: 'muted' }, 'The answer has no body.')
        : codeBlock(shown, parsed === null ? 'plain' : 'json', BODY_LABEL)),
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
