import { WEBHOOK_SCRIPTS } from '../../src/webhooks/webhook-scripts.ts';
import { append } from './append-deliveries.ts';
import { lineUpScript, releaseScript, renewScript, takeScript } from './lease.ts';
import { readHead } from './next-delivery.ts';
import { settle } from './settle-delivery.ts';
import { survey } from './survey-lines.ts';
import { begin, endRelease, release } from './wake-webhook.ts';

/** Every script that deliveries run, to be loaded before one is needed. */
export const DELIVERY_SCRIPTS = [
  ...WEBHOOK_SCRIPTS,
  append,
  readHead,
  takeScript,
  lineUpScript,
  renewScript,
  releaseScript,
  settle,
  survey,
  begin,
  release,
  endRelease,
];
