import { release } from './release-aside.ts';
import { requeue } from './requeue-deliveries.ts';

/** The scripts of the webhooks that both tiers run, to be loaded before one is needed. */
export const WEBHOOK_SCRIPTS = [requeue, release];
