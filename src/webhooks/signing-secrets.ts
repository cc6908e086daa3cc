import { randomBytes } from 'node:crypto';
import type { WebhookSecret } from '../directory/collections.ts';
import type { SecretBox } from '../directory/secret-box.ts';

const SECRET_BYTES = 32;
const SECRETS_MAX = 5;
const OVERLAP_MS = 24 * 3_600_000;

/** A new secret of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** Puts a new secret first. Older secrets continue to sign for up to 24 hours. */
export function rotateSecrets(
  before: readonly WebhookSecret[],
  sealed: string,
  now = Date.now(),
): WebhookSecret[] {
  const until = new Date(now + OVERLAP_MS).toISOString();
  const kept = inForce(before, now).map((secret) => ({ ...secret, until: secret.until ?? until }));
  return [{ sealed, until: null }, ...kept].slice(0, SECRETS_MAX);
}

/**
 * The secrets that sign now, the newest first. Throws if the newest was sealed under another `SWITCHBOARD_SECRET`; older ones of another
 * `SWITCHBOARD_SECRET` are left out.
 */
export function openSigningSecrets(
  box: SecretBox,
  webhook: { id: string; secrets: readonly WebhookSecret[] },
  now = Date.now(),
): string[] {
  return inForce(webhook.secrets, now).flatMap(({ sealed }, age) => {
    try {
      return [box.open(webhook.id, sealed)];
    } catch (error) {
      if (age === 0) throw error;
      return [];
    }
  });
}

function inForce(secrets: readonly WebhookSecret[], now: number): WebhookSecret[] {
  return secrets.filter(({ until }) => until === null || Date.parse(until) > now);
}
