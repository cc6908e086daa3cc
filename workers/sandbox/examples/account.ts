import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import type { Examples } from './example.ts';
import { inputFile } from './upload.ts';

const FORMAT = 'webk';
const ownTheme = (id: string) => ({ _: 'inputTheme', id, accessHash: '0' }) as const;

/** Examples of themes, passkeys and privacy. */
export const accountExamples: Examples = {
  'account.createTheme': () => ({ slug: '', title: 'My theme' }),
  'account.getTheme': ({ ids }) => ({ format: FORMAT, theme: ownTheme(ids.themeId) }),
  'account.getThemes': () => ({ format: FORMAT, hash: '0' }),
  'account.installTheme': ({ ids }) => ({ theme: ownTheme(ids.themeId), format: FORMAT }),
  'account.saveTheme': ({ ids }) => ({ theme: ownTheme(ids.themeId), unsave: false }),
  'account.updateTheme': ({ ids }) => ({
    format: FORMAT,
    theme: ownTheme(ids.themeId),
    title: 'Another title',
  }),
  'account.uploadTheme': (exemplar) => ({
    file: inputFile(exemplar, 'theme.attheme'),
    fileName: 'theme.attheme',
    mimeType: `application/x-tgtheme-${FORMAT}`,
  }),
  'account.getUniqueGiftChatThemes': () => ({ offset: '', limit: 20, hash: '0' }),
  'account.getPrivacy': () => ({ key: { _: 'inputPrivacyKeyChatInvite' } }),
  'account.setPrivacy': () => ({
    key: { _: 'inputPrivacyKeyChatInvite' },
    rules: [{ _: 'inputPrivacyValueAllowContacts' }],
  }),
  'account.getPasskeys': () => ({}),
  'account.initPasskeyRegistration': () => ({}),
  'account.registerPasskey': () => {
    const id = randomBytes(16).toString('base64url');
    const clientData = { type: 'webauthn.create', challenge: 'AA', origin: 'https://example.com' };
    return {
      credential: {
        _: 'inputPasskeyCredentialPublicKey',
        id,
        rawId: id,
        response: {
          _: 'inputPasskeyResponseRegister',
          clientData: { _: 'dataJSON', data: JSON.stringify(clientData) },
          attestationData: Buffer.alloc(3).toString('base64'),
        },
      },
    };
  },
  // Nothing is lost by it: there is no passkey of this id, and the answer says so.
  'account.deletePasskey': () => ({ id: randomBytes(16).toString('base64url') }),
};
