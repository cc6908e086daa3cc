import { Random } from '../../support/random.ts';
import type { CallKind, KnownAccount } from '../history.ts';
import { toPeer } from './management.ts';
import type { Scene } from './seed-scenes.ts';

/** A call to make, over as many attempts as it takes. */
export interface WantedCall {
  number: number;
  kind: CallKind;
  from: KnownAccount;
  to: KnownAccount;
  text: string | null;
  target: number | null;
  method: string;
  params: object;
  key: string | null;
  /** Whether it is repeated once more after it has succeeded. */
  repeats: boolean;
  /** Ms after which its caller hangs up on the first attempt. */
  hangUpMs: number | null;
  /** What is asked for when nobody waits for it; null for a call whose caller waits. */
  later: Later | null;
}

/** How an async call is asked for. */
export interface Later {
  /** Seconds to wait for its end first. */
  wait: number | null;
  /** Ms from now at which it may run. */
  delayMs: number | null;
  /** Ms after its acceptance at which it is taken back. */
  cancelMs: number | null;
}

interface KnownMessage {
  from: KnownAccount;
  to: KnownAccount;
  id: number;
}

const KINDS: readonly CallKind[] = [
  ...Array<CallKind>(18).fill('send'),
  ...Array<CallKind>(4).fill('voice'),
  ...Array<CallKind>(6).fill('edit'),
  ...Array<CallKind>(8).fill('read'),
  ...Array<CallKind>(3).fill('look'),
  'wrong',
];
const KNOWN_MAX = 500;
const ASYNC_SHARE = 0.16;
const TOGETHER_SHARE = 0.02;
const TOGETHER_MAX = 8;
const HANG_UP_SHARE = 0.03;
const HANG_UP_MAX_MS = 40;
const DELAY_MAX_MS = 8_000;
const CANCEL_MAX_MS = 400;
const NO_MESSAGE = 2_000_000_000;

/** Chooses calls by a seed; edits and reads are of messages that it has been told of. */
export class CallChooser {
  private readonly seed: number;
  private readonly random: Random;
  private readonly scenes: readonly Scene[];
  private readonly sent = new Map<string, KnownMessage[]>();
  private readonly unheard = new Map<string, KnownMessage[]>();
  private count = 0;

  constructor(seed: number, scenes: readonly Scene[]) {
    this.seed = seed;
    this.random = new Random(seed ^ 0x5eed);
    this.scenes = scenes;
  }

  /** Says that an account has sent a message, by the sender's id of it. */
  recordSent(call: WantedCall, id: number): void {
    remember(this.sent, { from: call.from, to: call.to, id });
  }

  /** Says that an account was sent a voice message, by its own id of it. */
  noteVoice(workspace: string, account: string, senderUserId: number, id: number): void {
    const { accounts = [] } = this.scenes.find((scene) => scene.workspace === workspace) ?? {};
    const to = accounts.find((one) => one.userId === senderUserId);
    const from = accounts.find((one) => one.account === account);
    if (from && to) remember(this.unheard, { from, to, id });
  }

  /** The calls of the next request: one, or several of one workspace that are all async or all not. */
  next(): WantedCall[] {
    const { random } = this;
    const scene = random.pick(this.scenes);
    const isAsync = random.next() < ASYNC_SHARE;
    if (random.next() >= TOGETHER_SHARE) return [this.choose(scene, isAsync ? this.chooseLater() : null)];
    const later = isAsync ? { wait: null, delayMs: null, cancelMs: null } : null;
    return Array.from({ length: 2 + random.below(TOGETHER_MAX - 1) }, () => this.choose(scene, later));
  }

  private chooseLater(): Later {
    const { random } = this;
    const whether = (share: number, most: number) => (random.next() < share ? random.below(most) : null);
    return {
      wait: whether(0.2, 4),
      delayMs: whether(0.15, DELAY_MAX_MS),
      cancelMs: whether(0.15, CANCEL_MAX_MS),
    };
  }

  private choose(scene: Scene, later: Later | null): WantedCall {
    const { random } = this;
    this.count += 1;
    const number = this.count;
    const from = random.pick(scene.accounts);
    const to = random.pick(scene.accounts.filter((one) => one !== from));
    const base = { number, from, to, text: null, target: null, later, ...this.choosePersistence(number) };
    const text = `t${this.seed}-${number}.`;
    switch (random.pick(KINDS)) {
      case 'edit':
        return this.chooseEdit(base, text);
      case 'read':
        return this.chooseRead(base);
      case 'voice': {
        const params = { peer: toPeer(to), media: scene.voice, message: text };
        return { ...base, kind: 'voice', text, method: 'messages.sendMedia', params };
      }
      case 'wrong': {
        const params = { peer: toPeer(to), id: NO_MESSAGE, message: text };
        return { ...base, kind: 'wrong', text, method: 'messages.editMessage', params };
      }
      case 'look':
        return { ...base, kind: 'look', method: 'messages.getHistory', params: historyParams(to) };
      default:
        return { ...base, kind: 'send', text, method: 'messages.sendMessage', params: textParams(to, text) };
    }
  }

  private choosePersistence(number: number): Pick<WantedCall, 'key' | 'repeats' | 'hangUpMs'> {
    const isKeyed = this.random.next() < 0.6;
    return {
      key: isKeyed ? `key-${this.seed}-${number}` : null,
      repeats: isKeyed && this.random.next() < 0.1,
      hangUpMs: this.random.next() < HANG_UP_SHARE ? this.random.below(HANG_UP_MAX_MS) : null,
    };
  }

  private chooseEdit(base: Omit<WantedCall, 'kind' | 'method' | 'params'>, text: string): WantedCall {
    const sent = this.sent.get(base.from.workspace);
    if (sent === undefined) {
      const params = textParams(base.to, text);
      return { ...base, kind: 'send', text, method: 'messages.sendMessage', params };
    }
    const { from, to, id } = this.random.pick(sent);
    const params = { peer: toPeer(to), id, message: text };
    return { ...base, kind: 'edit', from, to, text, target: id, method: 'messages.editMessage', params };
  }

  private chooseRead(base: Omit<WantedCall, 'kind' | 'method' | 'params'>): WantedCall {
    const unheard = this.unheard.get(base.from.workspace) ?? [];
    if (unheard.length === 0)
      return { ...base, kind: 'look', method: 'messages.getHistory', params: historyParams(base.to) };
    const index = this.random.below(unheard.length);
    const { from, to, id } = unheard[index] as KnownMessage;
    // Some are heard again, to see that only the first time counts.
    if (this.random.next() < 0.7) unheard.splice(index, 1);
    const params = { id: [id] };
    return { ...base, kind: 'read', from, to, target: id, method: 'messages.readMessageContents', params };
  }
}

function textParams(to: KnownAccount, message: string): object {
  return { peer: toPeer(to), message };
}

function historyParams(to: KnownAccount): object {
  const window = { offsetId: 0, offsetDate: 0, addOffset: 0, limit: 3, maxId: 0, minId: 0, hash: '0' };
  return { peer: toPeer(to), ...window };
}

function remember(known: Map<string, KnownMessage[]>, message: KnownMessage): void {
  const { workspace } = message.from;
  const messages = known.get(workspace) ?? [];
  known.set(workspace, messages);
  messages.push(message);
  if (messages.length > KNOWN_MAX) messages.shift();
}
