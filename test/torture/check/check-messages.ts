import type { Truth } from '../history.ts';
import { type Call, nameOf } from './calls.ts';
import type { Violation } from './violation.ts';

const CARRIES: Partial<Record<Call['kind'], string>> = {
  send: 'RawUpdateNewMessage',
  voice: 'RawUpdateNewMessage',
  edit: 'RawUpdateEditMessage',
  wrong: 'RawUpdateEditMessage',
};

/**
 * Holds every call that sends or edits against the updates that carry its text: an accepted one has told each of the two
 * accounts once, under the txid it was answered with; one answered as not run has told nobody; none is there twice or by half.
 */
export function checkMessages(calls: readonly Call[], updates: readonly Truth[]): Violation[] {
  const byText = new Map<string, Truth[]>();
  for (const update of updates) {
    if (update.text === null) continue;
    const known = byText.get(update.text);
    if (known) known.push(update);
    else byText.set(update.text, [update]);
  }
  return calls.flatMap((call) => {
    const kind = CARRIES[call.kind];
    if (kind === undefined || call.text === null) return [];
    const effects = (byText.get(call.text) ?? []).filter((update) => update.kind === kind);
    return [...checkCounts(call, effects), ...checkAnswer(call, effects)];
  });
}

function checkCounts(call: Call, effects: Truth[]): Violation[] {
  const [own, others] = [call.account, call.peer].map(
    (account) => effects.filter((update) => update.account === account).length,
  ) as [number, number];
  const seen = `${own} updates for the caller, ${others} for the other`;
  const say = (rule: Violation['rule']): Violation[] => [{ rule, what: `${nameOf(call)}: ${seen}` }];
  if (own > 1 || others > 1 || effects.length > own + others) return say('twice');
  if (own !== others) return say(call.outcome === 'accepted' ? 'lost' : 'half');
  if (own === 0) return call.outcome === 'accepted' ? say('lost') : [];
  return call.outcome === 'not run' || call.outcome === 'refused' ? say('not-run') : [];
}

function checkAnswer(call: Call, effects: Truth[]): Violation[] {
  const { accepted } = call;
  if (!accepted) return [];
  const wrong = effects.find(({ txid }) => txid !== accepted.txid);
  if (wrong)
    return [{ rule: 'wrong-answer', what: `${nameOf(call)}: answered ${accepted.txid}, told ${wrong.txid}` }];
  const own = effects.find(({ account }) => account === call.account);
  if (own && accepted.messageId !== null && own.messageId !== accepted.messageId) {
    const ids = `answered message ${accepted.messageId}, told ${own.messageId}`;
    return [{ rule: 'wrong-answer', what: `${nameOf(call)}: ${ids}` }];
  }
  return [];
}
