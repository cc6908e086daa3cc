import * as z from 'zod';
import type { Config } from '../../config.ts';
import type { Components, JsonSchema } from '../../tl/json-schema.ts';
import { plainText } from '../../tl/plain-text.ts';
import { updateSchemas } from '../../tl/update-schemas.ts';
import { VERSION } from '../../version.ts';
import { shallowSchemas } from '../openapi/shallow-schemas.ts';
import { update } from '../records/shapes.ts';
import { callEventSchemas } from './call-event-schemas.ts';
import emittedKinds from './emitted-kinds.json' with { type: 'json' };

const DESCRIPTION = `What happens to the messenger accounts of a workspace, as updates in one order. **This is a beta.**

A reader asks for the updates behind an offset, and either takes what is there (a JSON array), waits for more
(\`live=long-poll\`), or is sent them as they come (\`live=sse\`: server-sent events \`data\`, a JSON array, each followed by
\`control\` with the offset to go on from). Every offset can be resumed from as long as it is held. Webhooks
are sent the same entries, one at a time, as the \`data\` of \`{type, timestamp, data}\`.

The kinds that are listed are those that the sandbox emits. Other drivers may emit any update of the TL schema, under the name of
its type with \`Raw\` before it. The objects in an update are described as far as tools can follow; \`/openapi.json\` has whole schemas.`;

// With one more level the official parser takes twenty seconds instead of two.
const SHALLOW = { levels: 1, smallMax: 3_000 };

const CHANNEL = '#/channels/updates';

/** The AsyncAPI 3.1 document of the update streams: every kind of update with its schema. */
export function asyncapiDocument({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): Record<string, unknown> {
  const components: Components = new Map();
  const kinds = [...updateSchemas(emittedKinds, components), ...callEventSchemas()];
  const roots = kinds.map(({ schema }) => schema);
  const { $defs: envelope } = z.toJSONSchema(update);
  const schemas = Object.fromEntries(
    [...shallowSchemas(roots, components, SHALLOW)].map(([name, schema]) => [name, withoutMapping(schema)]),
  );
  return {
    asyncapi: '3.1.0',
    info: {
      title: 'Switchboard updates (beta)',
      version: VERSION,
      description: DESCRIPTION,
      license: { name: 'MIT' },
      tags: [{ name: 'Updates' }],
    },
    defaultContentType: 'application/json',
    ...(PUBLIC_URL === undefined ? {} : { servers: { public: serverOf(PUBLIC_URL) } }),
    channels: {
      updates: {
        address: '/v1/workspaces/{workspaceId}/updates',
        description: 'The update stream of a workspace',
        parameters: { workspaceId: { description: 'The id of the workspace' } },
        messages: Object.fromEntries(
          kinds.map(({ kind }) => [kind, { $ref: `#/components/messages/${kind}` }]),
        ),
      },
    },
    operations: {
      sendUpdates: {
        action: 'send',
        channel: { $ref: CHANNEL },
        summary: 'Updates as they happen, or later',
        description:
          'A reader asks for those behind an offset, of some kinds or accounts if it wants, and takes what is there or waits for more.',
        security: [{ $ref: '#/components/securitySchemes/bearerAuth' }],
        bindings: { http: { method: 'GET' } },
      },
    },
    components: {
      securitySchemes: {
        bearerAuth: { type: 'http', scheme: 'bearer', description: 'An API key with the scope updates:read' },
      },
      messages: Object.fromEntries(
        kinds.map(({ kind, description, schema }) => [
          kind,
          {
            name: kind,
            summary: plainText(description),
            correlationId: { location: '$message.payload#/txid' },
            payload: {
              allOf: [
                { $ref: '#/components/schemas/Update' },
                { properties: { kind: { const: kind }, update: schema } },
              ],
            },
          },
        ]),
      ),
      schemas: { ...envelope, ...schemas },
    },
  };
}

function serverOf(url: string): Record<string, string> {
  const { host, protocol, pathname } = new URL(url);
  const path = pathname.replace(/\/+$/, '');
  return { host, protocol: protocol.replace(':', ''), ...(path === '' ? {} : { pathname: path }) };
}

/** AsyncAPI discriminators name a property only; the constant `_` of each variant suffices. */
function withoutMapping({ discriminator: _, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
