import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { findMessages } from '../../model/boxes/messages.ts';
import { userBox } from '../../model/common/keys.ts';
import { pageBudget, type ReadBudget, refuseOverBudget } from '../../model/common/read-budget.ts';
import { toMessageList } from '../../model/messages/message-list.ts';

type InputMessage = MethodParams<'messages.getMessages'>['id'][number];

const IDS_MAX = 100;

/**
 * The messages of these ids in the account's box, in the order of the ids, or the messages they reply to; a `messageEmpty` for each that
 * does not exist. Error: `RESULTS_TOO_MUCH` for more than 4 MiB, with the messages that reply.
 */
export const getMessages = defineMethod('messages.getMessages', async (params, call) => {
  const box = userBox(call.account.userId);
  const budget = pageBudget();
  const ids = await toIds(call, params.id.slice(0, IDS_MAX), budget);
  refuseOverBudget(budget);
  const found = await findMessages(call, box, ids, budget);
  refuseOverBudget(budget);
  return toMessageList(
    call,
    found.map((one, i) => one?.message ?? { _: 'messageEmpty' as const, id: ids[i] as number }),
  );
});

async function toIds(call: CallContext, inputs: InputMessage[], budget: ReadBudget): Promise<number[]> {
  const named = inputs.flatMap((input) => (input._ === 'inputMessageReplyTo' ? [input.id] : []));
  const answers = [...new Set(named)];
  const found = await findMessages(call, userBox(call.account.userId), answers, budget);
  const answered = new Map(answers.map((id, i) => [id, repliedTo(found[i]?.message.replyTo)]));
  return inputs.map((input) => {
    if (input._ === 'inputMessageReplyTo') return answered.get(input.id) ?? 0;
    return 'id' in input ? input.id : 0;
  });
}

// A channel's message ids do not belong to this box.
function repliedTo(
  header: { _: string; replyToMsgId?: number; replyToPeerId?: { _: string } } | undefined,
): number | undefined {
  return header?.replyToPeerId?._ === 'peerChannel' ? undefined : header?.replyToMsgId;
}

export const example: Example<'messages.getMessages'> = () => ({ id: [{ _: 'inputMessageID', id: 1 }] });

export const difference = 'Only the first 100 count.';
