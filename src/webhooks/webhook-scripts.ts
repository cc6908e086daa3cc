import { append } from './append-deliveries.ts';
import { readHead } from './next-delivery.ts';
import { leave, take } from './places.ts';
import { requeue } from './requeue-deliveries.ts';
import { settle } from './settle-delivery.ts';
import { release, survey } from './survey-lines.ts';

/** Every script of the webhooks, to be loaded before one is needed. */
export const WEBHOOK_SCRIPTS = [append, readHead, take, leave, requeue, settle, survey, release];
