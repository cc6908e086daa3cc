import type { PauseRecord } from '../../../client/records.ts';
import { type Child, el } from '../../shared/dom.ts';
import { type Api, withQuery } from '../api.ts';
import { Poller } from '../poller.ts';
import type { Page, Target } from '../types.ts';
import { openDialog } from './dialog.ts';
import { Fields } from './fields.ts';
import { keepFocus } from './focus.ts';
import { badge, timeText } from './marks.ts';
import { attempt, notify } from './notice.ts';

const READ_MS = 5_000;
const MODES = { wait: 'Let its calls wait', refuse: 'Refuse its calls' };

/** The path of a target's pause. */
export function pausePath({ kind, id }: Target): string {
  return `/v1/pauses/${kind}/${encodeURIComponent(id)}`;
}

/** Asks how to pause the target, and pauses it. */
export function askToPause(api: Api, target: Target, onDone: () => void): void {
  const failure = el('p', { class: 'failed', role: 'alert' });
  const how = new Fields(
    'How to pause',
    [
      { name: 'mode', label: 'New calls', values: MODES },
      { name: 'reason', label: 'Reason, shown to callers whose calls are refused', placeholder: 'none' },
    ],
    { mode: 'wait' },
    () => undefined,
  );
  const send = async () => {
    const { mode, reason = '' } = how.values;
    try {
      await api.send('PUT', pausePath(target), { body: { mode, ...(reason === '' ? {} : { reason }) } });
      dialog.close();
      onDone();
    } catch (error) {
      const { message } = error as Error;
      failure.textContent = message;
      if (!dialog.open) notify(message, true);
    }
  };
  const dialog = openDialog(
    `Pause ${target.kind} ${target.id}?`,
    el(
      'p',
      {},
      'Every process follows within a second. Calls that already run go on; async calls that were accepted wait.',
    ),
    how.node,
    failure,
    el(
      'p',
      { class: 'buttons' },
      el('button', { type: 'button', class: 'send', onclick: () => void send() }, 'Pause'),
      el('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'),
    ),
  );
}

/** Resumes the target, and reports it. */
export function resume(api: Api, target: Target, onDone: () => void): Promise<void> {
  return attempt(async () => {
    await api.send('DELETE', pausePath(target));
    onDone();
    return `Resumed ${target.kind} ${target.id}: the calls that wait go on.`;
  });
}

/** Shows whether the target is paused, with a button to pause or resume it. Follows what other operators do. */
export class PauseSwitch {
  readonly node = el('p', { class: 'buttons switch' });
  // Always the same one: a dialog gives the focus back to it, also if another operator has paused the target meanwhile.
  private readonly button = el('button', { type: 'button' });
  private readonly api: Api;
  private readonly target: Target;
  private readonly poll: Poller;
  private shown: string | null = null;
  private reads = 0;

  constructor(api: Api, target: Target) {
    this.api = api;
    this.target = target;
    this.poll = new Poller(READ_MS, () => this.read());
  }

  readonly refresh = (): void => {
    void this.read().catch(() => undefined);
  };

  stop(): void {
    this.poll.stop();
  }

  private async read(): Promise<void> {
    this.reads += 1;
    const own = this.reads;
    try {
      const pause = await findPause(this.api, this.target);
      // A read that began before a change may be answered after the one that follows it.
      if (own !== this.reads) return;
      this.show(JSON.stringify(pause), () => this.partsOf(pause));
    } catch (error) {
      if (own !== this.reads) return;
      const { message } = error as Error;
      this.show(message, () => [el('span', { class: 'failed' }, message)]);
      throw error;
    }
  }

  private show(text: string, parts: () => Child[]): void {
    if (text === this.shown) return;
    this.shown = text;
    const hadFocus = this.node.contains(document.activeElement);
    this.node.replaceChildren(...parts().filter((part) => part !== null));
    if (!hadFocus) return;
    this.button.focus();
    keepFocus();
  }

  private partsOf(pause: PauseRecord | null): Child[] {
    const { api, target, refresh, button } = this;
    button.textContent = pause === null ? 'Pause…' : 'Resume';
    button.onclick = () => (pause === null ? askToPause : resume)(api, target, refresh);
    if (pause === null) return [button, 'Not paused: its calls run.'];
    return [
      button,
      badge('paused', pause.mode === 'wait' ? 'paused: calls wait' : 'paused: calls are refused'),
      'since ',
      timeText(pause.since),
      pause.reason,
    ];
  }
}

async function findPause(api: Api, { kind, id }: Target): Promise<PauseRecord | null> {
  for (let startingAfter: string | null = ''; startingAfter !== null; ) {
    const page: Page<PauseRecord> = await api.get(withQuery('/v1/pauses', { limit: 100, startingAfter }));
    const found = page.data.find(({ target }) => target.kind === kind && target.id === id);
    if (found !== undefined) return found;
    startingAfter = page.cursors.next;
  }
  return null;
}
