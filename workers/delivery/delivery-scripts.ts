import { WEBHOOK_SCRIPTS } from '../../src/webhooks/webhook-scripts.ts';
import { append } from './append-deliveries.ts';
import { releaseScript, renewScript, takeScript } from './lease.ts';
import { readHead } from './next-delivery.ts';
import { settle } from './settle-delivery.ts';
import { survey } from './survey-lines.ts';

/** Every script that deliveries run, to be loaded before one is needed. */
export const DELIVERY_SCRIPTS = [
  ...WEBHOOK_SCRIPTS,
  append,
  readHead,
  takeScript,
  renewScript,
  releaseScript,
  settle,
  survey,
];
