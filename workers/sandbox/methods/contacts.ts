// Made by `npm run docs` from the files in `methods/`; do not edit.
import * as addContact from './contacts/add-contact.ts';
import * as block from './contacts/block.ts';
import * as deleteContacts from './contacts/delete-contacts.ts';
import * as getContacts from './contacts/get-contacts.ts';
import * as importContacts from './contacts/import-contacts.ts';
import * as resolvePhone from './contacts/resolve-phone.ts';
import * as resolveUsername from './contacts/resolve-username.ts';
import * as unblock from './contacts/unblock.ts';

export const methods = {
  'contacts.addContact': addContact.addContact,
  'contacts.block': block.block,
  'contacts.deleteContacts': deleteContacts.deleteContacts,
  'contacts.getContacts': getContacts.getContacts,
  'contacts.importContacts': importContacts.importContacts,
  'contacts.resolvePhone': resolvePhone.resolvePhone,
  'contacts.resolveUsername': resolveUsername.resolveUsername,
  'contacts.unblock': unblock.unblock,
};

export const examples = {
  'contacts.addContact': addContact.example,
  'contacts.block': block.example,
  'contacts.deleteContacts': deleteContacts.example,
  'contacts.getContacts': getContacts.example,
  'contacts.importContacts': importContacts.example,
  'contacts.resolvePhone': resolvePhone.example,
  'contacts.resolveUsername': resolveUsername.example,
  'contacts.unblock': unblock.example,
};

export const differences = {
  'contacts.addContact': addContact.difference,
  'contacts.block': block.difference,
  'contacts.deleteContacts': deleteContacts.difference,
  'contacts.resolveUsername': resolveUsername.difference,
};
