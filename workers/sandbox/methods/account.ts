// Made by `npm run docs` from the files in `methods/`; do not edit.
import * as createTheme from './account/create-theme.ts';
import * as deletePasskey from './account/delete-passkey.ts';
import * as getPasskeys from './account/get-passkeys.ts';
import * as getPrivacy from './account/get-privacy.ts';
import * as getTheme from './account/get-theme.ts';
import * as getThemes from './account/get-themes.ts';
import * as getUniqueGiftChatThemes from './account/get-unique-gift-chat-themes.ts';
import * as initPasskeyRegistration from './account/init-passkey-registration.ts';
import * as installTheme from './account/install-theme.ts';
import * as registerPasskey from './account/register-passkey.ts';
import * as saveTheme from './account/save-theme.ts';
import * as setPrivacy from './account/set-privacy.ts';
import * as updateBirthday from './account/update-birthday.ts';
import * as updateProfile from './account/update-profile.ts';
import * as updateStatus from './account/update-status.ts';
import * as updateTheme from './account/update-theme.ts';
import * as uploadTheme from './account/upload-theme.ts';

export const methods = {
  'account.createTheme': createTheme.createTheme,
  'account.deletePasskey': deletePasskey.deletePasskey,
  'account.getPasskeys': getPasskeys.getPasskeys,
  'account.getPrivacy': getPrivacy.getPrivacy,
  'account.getTheme': getTheme.getTheme,
  'account.getThemes': getThemes.getThemes,
  'account.getUniqueGiftChatThemes': getUniqueGiftChatThemes.getUniqueGiftChatThemes,
  'account.initPasskeyRegistration': initPasskeyRegistration.initPasskeyRegistration,
  'account.installTheme': installTheme.installTheme,
  'account.registerPasskey': registerPasskey.registerPasskey,
  'account.saveTheme': saveTheme.saveTheme,
  'account.setPrivacy': setPrivacy.setPrivacy,
  'account.updateBirthday': updateBirthday.updateBirthday,
  'account.updateProfile': updateProfile.updateProfile,
  'account.updateStatus': updateStatus.updateStatus,
  'account.updateTheme': updateTheme.updateTheme,
  'account.uploadTheme': uploadTheme.uploadTheme,
};

export const examples = {
  'account.createTheme': createTheme.example,
  'account.deletePasskey': deletePasskey.example,
  'account.getPasskeys': getPasskeys.example,
  'account.getPrivacy': getPrivacy.example,
  'account.getTheme': getTheme.example,
  'account.getThemes': getThemes.example,
  'account.getUniqueGiftChatThemes': getUniqueGiftChatThemes.example,
  'account.initPasskeyRegistration': initPasskeyRegistration.example,
  'account.installTheme': installTheme.example,
  'account.registerPasskey': registerPasskey.example,
  'account.saveTheme': saveTheme.example,
  'account.setPrivacy': setPrivacy.example,
  'account.updateBirthday': updateBirthday.example,
  'account.updateProfile': updateProfile.example,
  'account.updateStatus': updateStatus.example,
  'account.updateTheme': updateTheme.example,
  'account.uploadTheme': uploadTheme.example,
};

export const differences = {
  'account.createTheme': createTheme.difference,
  'account.registerPasskey': registerPasskey.difference,
  'account.setPrivacy': setPrivacy.difference,
  'account.updateBirthday': updateBirthday.difference,
  'account.updateStatus': updateStatus.difference,
  'account.updateTheme': updateTheme.difference,
};
