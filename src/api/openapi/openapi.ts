import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { Config } from '../../config.ts';
import type { Components } from '../../tl/json-schema.ts';
import { VERSION } from '../../version.ts';
import { bulkPath } from './bulk-path.ts';
import { CALL_PARTS } from './call-parts.ts';
import { callPaths } from './call-paths.ts';
import { serveDocument } from './serve-document.ts';
import { usedComponents } from './used-components.ts';

const DESCRIPTION = `A queue-backed gateway to messenger accounts. **This is a beta: details may still change.**

Every request but those for liveness, readiness and this document needs an API key. Failures are problem documents (RFC 9457)
with a stable \`code\`. Lists are read page by page with cursors; everything that happens to an account is on the update stream
of its workspace.`;

/** Collects the schemas of the routes added after it. */
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

/** `/openapi.json`: OpenAPI 3.1 of the whole API. */
export function addOpenapiRoute(app: FastifyInstance): void {
  serveDocument(app, '/openapi.json', () => makeDocument(app.swagger() as Made));
}

interface Made {
  paths: Record<string, unknown>;
  components: { schemas: Record<string, unknown> };
}

function makeDocument(made: Made): object {
  const components: Components = new Map();
  const paths = { ...callPaths(components), ...bulkPath(), ...withoutCalls(made.paths) };
  const all = { ...made.components.schemas, ...Object.fromEntries(components), ...CALL_PARTS.schemas };
  const schemas = usedComponents([paths, CALL_PARTS.responses], all);
  return { ...made, paths, components: { ...made.components, ...CALL_PARTS, schemas } };
}

/** The routes of calls have no schemas: what they take and give depends on the method. */
function withoutCalls(paths: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(paths).filter(([path]) => !path.startsWith('/workspaces/')));
}
