import { toGraphToken } from '../model/stats/graph-tokens.ts';
import { type Examples, SELF } from './example.ts';
import { inputChannel, inputUser } from './input-peers.ts';

/** Examples of the namespaces with few methods. */
export const otherExamples: Examples = {
  'help.getSupport': () => ({}),
  'stats.getMessagePublicForwards': async (exemplar) => ({
    channel: await inputChannel(exemplar, 'channelId'),
    msgId: 1,
    offset: '',
    limit: 20,
  }),
  'stats.getMessageStats': async (exemplar) => ({
    channel: await inputChannel(exemplar, 'channelId'),
    msgId: 1,
  }),
  'stats.loadAsyncGraph': ({ call, self, ids }) => ({
    token: toGraphToken({
      kind: 'views',
      channelId: ids.channelId,
      msgId: 1,
      userId: self.id,
      date: call.date,
    }),
  }),
  'stories.getPeerStories': () => ({ peer: SELF }),
  'stories.startLive': () => ({
    peer: SELF,
    privacyRules: [{ _: 'inputPrivacyValueAllowContacts' }],
  }),
  'updates.getState': () => ({}),
  'updates.getDifference': ({ call }) => ({ pts: 1, date: call.date, qts: 0 }),
  'users.getFullUser': async (exemplar) => ({ id: await inputUser(exemplar, 'contactId') }),
  'users.getUsers': async (exemplar) => ({
    id: [{ _: 'inputUserSelf' }, await inputUser(exemplar, 'contactId')],
  }),
};
