import { createHash } from 'node:crypto';
import type { Webhook } from '../../src/directory/collections.ts';

// Of one that is forgotten, updates are read once more.
const REMEMBERED_MAX = 10_000;

/**
 * The webhooks for which nothing more could be queued, as their workspaces were full. While these are, the same updates would be read and
 * refused again after each call.
 */
export class FullFeeds {
  /** By webhook, the one noted longest ago first. */
  private readonly places = new Map<string, string>();

  /** Notes that what a webhook wants behind a position had no room. */
  note(webhook: Webhook, position: string): void {
    this.places.delete(webhook.id);
    this.places.set(webhook.id, placeOf(webhook, position));
    if (this.places.size <= REMEMBERED_MAX) return;
    const [oldest] = this.places.keys();
    this.forget(oldest as string);
  }

  /** Whether that was noted. A webhook that is elsewhere by now, or wants something else, is forgotten. */
  has(webhook: Webhook, position: string): boolean {
    const noted = this.places.get(webhook.id);
    if (noted === undefined) return false;
    if (noted === placeOf(webhook, position)) return true;
    this.forget(webhook.id);
    return false;
  }

  forget(webhookId: string): void {
    this.places.delete(webhookId);
  }
}

// With another filter a webhook may want nothing of what has no room, and go on. A filter may be long.
function placeOf({ messengerAccountIds, kinds }: Webhook, position: string): string {
  const filter = JSON.stringify([messengerAccountIds, kinds]);
  return `${position} ${createHash('sha256').update(filter).digest('base64')}`;
}
