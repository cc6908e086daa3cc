import { historyKey } from '../model/boxes/keys.ts';
import { type FoundMessage, findMessages } from '../model/boxes/messages.ts';
import { userBox } from '../model/common/keys.ts';
import type { ExampleContext } from './example.ts';

/** The oldest message of the account's own chat that is not a service message, or null. */
export async function ownMessage({ call, self }: ExampleContext): Promise<FoundMessage | null> {
  const box = userBox(self.id);
  const ids = await call.tx.read.zrange(call.tx.key(historyKey(self.id, box)), '0', '19');
  const found = await findMessages(call, box, ids);
  return found.find((one) => one?.message._ === 'message') ?? null;
}
