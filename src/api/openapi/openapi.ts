import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { Config } from '../../config.ts';
import type { Components, JsonSchema } from '../../tl/json-schema.ts';
import { VERSION } from '../../version.ts';
import { boundParameters, boundRequests, sizeIntegers } from './bounds.ts';
import { bulkPath } from './bulk-path.ts';
import { CALL_PARTS } from './call-parts.ts';
import { callPaths } from './call-paths.ts';
import { completeOperations, type Paths } from './complete-operations.ts';
import { CODE, CODE_SCHEMAS } from './problem-codes.ts';
import { serveDocument } from './serve-document.ts';
import { makeShallow, type OpenapiDocument } from './shallow-document.ts';
import { TAGS } from './tags.ts';
import { usedComponents } from './used-components.ts';
import { WEBHOOK_MESSAGES, WEBHOOK_SCHEMAS } from './webhook-message.ts';

const DESCRIPTION = `A queue-backed gateway to messenger accounts. **This is a beta: details may still change.**

Every request needs an API key, except those for liveness, readiness and documentation, and \`OPTIONS\`. Failures are problem documents (RFC 9457)
with a stable \`code\` and the next step in \`detail\`. Lists are read page by page with cursors; everything that happens to an account is on the update stream
of its workspace.`;

/** Installs the plugin that collects the schemas of the routes added after it. */
export function installOpenapi(app: FastifyInstance, { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): void {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Switchboard API (beta)',
        version: VERSION,
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' } as { name: string },
      },
      servers: [{ url: PUBLIC_URL?.replace(/\/+$/, '') ?? '/' }],
      security: [{ bearerAuth: [] }],
      components: {
        securitySchemes: {
          bearerAuth: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key, or the root key',
          },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
}

/**
 * `/openapi.json`: OpenAPI 3.1 of the whole API. `/openapi-shallow.json` is the same without recursion, for tools that follow every
 * reference to its end.
 */
export function addOpenapiRoutes(app: FastifyInstance): void {
  // The second is made from the first, since making that takes long.
  const made: { whole?: OpenapiDocument } = {};
  serveDocument(app, '/openapi.json', () => {
    made.whole = makeDocument(app.swagger() as unknown as Made);
    return made.whole;
  });
  serveDocument(app, '/openapi-shallow.json', () => {
    const shallow = makeShallow(made.whole as OpenapiDocument);
    delete made.whole;
    return shallow;
  });
}

/** The document as the plugin makes it. */
interface Made {
  paths: Paths;
  components: { schemas: Record<string, JsonSchema> };
}

function makeDocument(made: Made): OpenapiDocument {
  const components: Components = new Map();
  const responses: Record<string, object> = { ...CALL_PARTS.responses };
  const paths = boundRequests({
    ...callPaths(components),
    ...bulkPath(),
    ...sizeIntegers(completeOperations(withoutCalls(made.paths), responses)),
  });
  const all = {
    ...sizeIntegers(withCodes(made.components.schemas)),
    ...Object.fromEntries(components),
    ...CALL_PARTS.schemas,
    ...CODE_SCHEMAS,
    ...WEBHOOK_SCHEMAS,
  };
  const schemas = usedComponents([paths, WEBHOOK_MESSAGES, responses], all);
  return {
    ...made,
    tags: TAGS,
    paths,
    webhooks: WEBHOOK_MESSAGES,
    components: {
      ...made.components,
      ...CALL_PARTS,
      parameters: boundParameters(CALL_PARTS.parameters),
      responses,
      schemas,
    },
  };
}

function withCodes({ Problem, ...schemas }: Made['components']['schemas']): Record<string, JsonSchema> {
  const properties = Problem?.properties as JsonSchema | undefined;
  return { ...schemas, Problem: { ...Problem, properties: { ...properties, code: CODE } } };
}

/** The routes of calls have no schemas: their bodies depend on the method. */
function withoutCalls(paths: Paths): Paths {
  return Object.fromEntries(Object.entries(paths).filter(([path]) => !path.startsWith('/workspaces/')));
}
