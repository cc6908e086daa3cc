import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { PASSKEY_CHALLENGES } from '../../model/passkeys/keys.ts';
import { listPasskeys, type PasskeyChallenge } from '../../model/passkeys/passkeys.ts';
import { CHALLENGE_TTL_S, challengeFor } from '../../model/passkeys/webauthn.ts';
import { getSelf } from '../../model/people/users.ts';

/** Creates a challenge for an authenticator; from then on the account's passkeys are verified. A challenge replaces the previous one. */
export const initPasskeyRegistration = defineMethod(
  'account.initPasskeyRegistration',
  async (_params, call) => {
    if (call.account.bot) throw new MessengerError('ACCESS_DENIED');
    const [self, known] = await Promise.all([getSelf(call), listPasskeys(call)]);
    const proven = known.filter(({ publicKey }) => publicKey !== undefined).map(({ passkey }) => passkey.id);
    const { challenge, options } = challengeFor(self, proven);
    const kept: PasskeyChallenge = { value: challenge, expiresAt: call.date + CHALLENGE_TTL_S };
    call.tx.hset(PASSKEY_CHALLENGES, self.id, kept);
    return { _: 'account.passkeyRegistrationOptions', options: { _: 'dataJSON', data: options } };
  },
);

export const example: Example<'account.initPasskeyRegistration'> = ({ self }) => (self.bot ? null : {});
