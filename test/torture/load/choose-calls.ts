import { Random } from '../../support/random.ts';
import type { CallKind, KnownAccount } from '../history.ts';
import type { Scene } from './furnish.ts';
import { toPeer } from './management.ts';

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
}

interface KnownMessage {
  from: KnownAccount;
  to: KnownAccount;
  id: number;
}

const KINDS: readonly CallKind[] = [
  ...Array<CallKind>(9).fill('send'),
  ...Array<CallKind>(2).fill('voice'),
  ...Array<CallKind>(3).fill('edit'),
  ...Array<CallKind>(4).fill('read'),
  ...Array<CallKind>(2).fill('look'),
];
const KNOWN_MAX = 500;

/** Chooses calls by a seed; edits and reads are of messages that it has been told of. */
export class CallChooser {
  private readonly seed: number;
  private readonly random: Random;
  private readonly scenes: readonly Scene[];
  private readonly sent: KnownMessage[] = [];
  private readonly unheard: KnownMessage[] = [];
  private count = 0;

  constructor(seed: number, scenes: readonly Scene[]) {
    this.seed = seed;
    this.random = new Random(seed ^ 0x5eed);
    this.scenes = scenes;
  }

  /** Says that an account has sent a message, by the sender's id of it. */
  noteSent(call: WantedCall, id: number): void {
    remember(this.sent, { from: call.from, to: call.to, id });
  }

  /** Says that an account was sent a voice message, by its own id of it. */
  noteVoice(workspace: string, account: string, senderUserId: number, id: number): void {
    const { accounts = [] } = this.scenes.find((scene) => scene.workspace === workspace) ?? {};
    const to = accounts.find((one) => one.userId === senderUserId);
    const from = accounts.find((one) => one.account === account);
    if (from && to) remember(this.unheard, { from, to, id });
  }

  next(): WantedCall {
    const { random } = this;
    this.count += 1;
    const number = this.count;
    const scene = random.pick(this.scenes);
    const from = random.pick(scene.accounts);
    const to = random.pick(scene.accounts.filter((one) => one !== from));
    const base = { number, from, to, text: null, target: null, ...this.choosePersistence(number) };
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
      case 'look':
        return { ...base, kind: 'look', method: 'messages.getHistory', params: historyParams(to) };
      default:
        return { ...base, kind: 'send', text, method: 'messages.sendMessage', params: textParams(to, text) };
    }
  }

  private choosePersistence(number: number): Pick<WantedCall, 'key' | 'repeats'> {
    const isKeyed = this.random.next() < 0.6;
    return {
      key: isKeyed ? `key-${this.seed}-${number}` : null,
      repeats: isKeyed && this.random.next() < 0.1,
    };
  }

  private chooseEdit(base: Omit<WantedCall, 'kind' | 'method' | 'params'>, text: string): WantedCall {
    if (this.sent.length === 0) {
      const params = textParams(base.to, text);
      return { ...base, kind: 'send', text, method: 'messages.sendMessage', params };
    }
    const { from, to, id } = this.random.pick(this.sent);
    const params = { peer: toPeer(to), id, message: text };
    return { ...base, kind: 'edit', from, to, text, target: id, method: 'messages.editMessage', params };
  }

  private chooseRead(base: Omit<WantedCall, 'kind' | 'method' | 'params'>): WantedCall {
    if (this.unheard.length === 0)
      return { ...base, kind: 'look', method: 'messages.getHistory', params: historyParams(base.to) };
    const index = this.random.below(this.unheard.length);
    const { from, to, id } = this.unheard[index] as KnownMessage;
    // Some are heard again, to see that only the first time counts.
    if (this.random.next() < 0.7) this.unheard.splice(index, 1);
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

function remember(messages: KnownMessage[], message: KnownMessage): void {
  messages.push(message);
  if (messages.length > KNOWN_MAX) messages.shift();
}
