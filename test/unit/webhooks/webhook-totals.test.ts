import { expect, test } from 'vitest';
import { noteBacklog, type WebhookBacklog } from '../../../src/webhooks/webhook-totals.ts';

const backlog = (number: number, oldestMs: number, waiting = 1): WebhookBacklog => ({
  id: `wh_${number}`,
  workspaceId: 'ws_1',
  waiting,
  oldestMs,
});

test('names the ten webhooks whose oldest delivery has waited for longest, in whatever order they come', () => {
  const found: WebhookBacklog[] = [];
  // All numbers from 0 to 96, once each.
  for (let step = 0; step < 97; step += 1) noteBacklog(found, backlog(step, (step * 31) % 97));
  expect(found.map(({ oldestMs }) => oldestMs)).toEqual([96, 95, 94, 93, 92, 91, 90, 89, 88, 87]);
});

test('names no webhook for which nothing waits', () => {
  const found: WebhookBacklog[] = [];
  noteBacklog(found, backlog(1, 0, 0));
  expect(found).toEqual([]);
  noteBacklog(found, backlog(2, 0));
  expect(found).toEqual([backlog(2, 0)]);
});
