import type { Examples } from './example.ts';
import { inputUser, peerUser } from './input-peers.ts';

/** Examples of contacts and of who is blocked. */
export const contactExamples: Examples = {
  'contacts.getContacts': () => ({ hash: '0' }),
  'contacts.resolveUsername': ({ self }) => ({ username: `${self.username}_contact` }),
  'contacts.addContact': async (exemplar) => ({
    id: await inputUser(exemplar, 'friendId'),
    firstName: 'Best',
    lastName: 'Friend',
    phone: '',
  }),
  'contacts.block': async (exemplar) => ({ id: await peerUser(exemplar, 'friendId') }),
  'contacts.unblock': async (exemplar) => ({ id: await peerUser(exemplar, 'friendId') }),
};
