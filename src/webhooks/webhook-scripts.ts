import { add } from './add-ping.ts';
import { erase } from './line-keys.ts';
import { recordWake } from './request-wake.ts';
import { requeue } from './requeue-deliveries.ts';

/** The scripts of the webhooks that both tiers run, to be loaded before one is needed. */
export const WEBHOOK_SCRIPTS = [add, requeue, recordWake, erase];
