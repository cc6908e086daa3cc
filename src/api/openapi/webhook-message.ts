import { closed, json, refer } from './schema-parts.ts';

const text = { type: 'string' };

/** The messages to webhooks, as under `webhooks`. */
export const WEBHOOK_MESSAGES = {
  update: {
    post: {
      operationId: 'receiveUpdate',
      tags: ['Webhooks'],
      summary: 'An update, sent to the URL of a webhook',
      description:
        'Signed as Standard Webhooks says. It may arrive twice, with the same `webhook-id`. `type` may also be `webhook.ping` and `webhook.gap`, which are on no stream.',
      security: [],
      parameters: [
        header('webhook-id', 'The delivery; the same on every attempt'),
        header('webhook-timestamp', 'When this attempt was made, in seconds since 1970'),
        header(
          'webhook-signature',
          '`v1,` and the HMAC-SHA256 of `<id>.<timestamp>.<body>` in base64; several are separated by spaces',
        ),
      ],
      requestBody: {
        required: true,
        content: json(refer('schemas', 'WebhookMessage')),
      },
      responses: {
        '2XX': { description: 'It has arrived' },
        410: { description: 'The webhook is disabled' },
        '4XX': { description: 'It is tried again later; others are sent meanwhile' },
        '5XX': { description: 'It is tried again later; others of the same account wait' },
      },
    },
  },
};

/** The schemas that the messages refer to. */
export const WEBHOOK_SCHEMAS = {
  WebhookMessage: {
    ...closed({
      type: { ...text, description: 'The kind of the update' },
      timestamp: { ...text, format: 'date-time' },
      data: { anyOf: [refer('schemas', 'Update'), { type: 'object', description: 'Of a ping or a gap' }] },
    }),
    description: 'What a webhook is sent',
  },
};

function header(name: string, description: string) {
  return { name, in: 'header', required: true, description, schema: text };
}
