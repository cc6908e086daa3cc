import { bots } from '../model/bots/forget.ts';
import { boxes } from '../model/boxes/forget.ts';
import { chats } from '../model/chats/forget.ts';
import type { Forgetting } from '../model/common/forget.ts';
import { conversations } from '../model/conversations/forgetting/forget.ts';
import { gifts } from '../model/gifts/forget.ts';
import { groupCalls } from '../model/group-calls/forget.ts';
import { messages } from '../model/messages/forget.ts';
import { passkeys } from '../model/passkeys/forget.ts';
import { payments } from '../model/payments/forget.ts';
import { people } from '../model/people/forget.ts';
import { privacy } from '../model/privacy/forget.ts';
import { reactions } from '../model/reactions/forget.ts';
import { scheduled } from '../model/scheduled/forget.ts';
import { sponsored } from '../model/sponsored/forget.ts';
import { stories } from '../model/stories/forget.ts';
import { themes } from '../model/themes/forget.ts';

/** The subjects of the model, in the order of a reset: memberships of channels are removed last. */
export const subjects: readonly Forgetting[] = [
  messages,
  boxes,
  bots,
  reactions,
  gifts,
  groupCalls,
  payments,
  people,
  privacy,
  passkeys,
  scheduled,
  sponsored,
  stories,
  themes,
  conversations,
  chats,
];
