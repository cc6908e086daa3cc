// Made by `npm run docs` from the files in `methods/`; do not edit.
import * as addContact from './contacts/add-contact.ts';
import * as block from './contacts/block.ts';
import * as deleteContacts from './contacts/delete-contacts.ts';
import * as editCloseFriends from './contacts/edit-close-friends.ts';
import * as getContacts from './contacts/get-contacts.ts';
import * as importContacts from './contacts/import-contacts.ts';
import * as resolvePhone from './contacts/resolve-phone.ts';
import * as resolveUsername from './contacts/resolve-username.ts';
import * as unblock from './contacts/unblock.ts';
import * as updateContactNote from './contacts/update-contact-note.ts';

export const methods = {
  'contacts.addContact': addContact.addContact,
  'contacts.block': block.block,
  'contacts.deleteContacts': deleteContacts.deleteContacts,
  'contacts.editCloseFriends': editCloseFriends.editCloseFriends,
  'contacts.getContacts': getContacts.getContacts,
  'contacts.importContacts': importContacts.importContacts,
  'contacts.resolvePhone': resolvePhone.resolvePhone,
  'contacts.resolveUsername': resolveUsername.resolveUsername,
  'contacts.unblock': unblock.unblock,
  'contacts.updateContactNote': updateContactNote.updateContactNote,
};

export const examples = {
  'contacts.addContact': addContact.example,
  'contacts.block': block.example,
  'contacts.deleteContacts': deleteContacts.example,
  'contacts.editCloseFriends': editCloseFriends.example,
  'contacts.getContacts': getContacts.example,
  'contacts.importContacts': importContacts.example,
  'contacts.resolvePhone': resolvePhone.example,
  'contacts.resolveUsername': resolveUsername.example,
  'contacts.unblock': unblock.example,
  'contacts.updateContactNote': updateContactNote.example,
};

export const differences = {
  'contacts.addContact': addContact.difference,
  'contacts.block': block.difference,
  'contacts.deleteContacts': deleteContacts.difference,
  'contacts.editCloseFriends': editCloseFriends.difference,
  'contacts.resolveUsername': resolveUsername.difference,
};
