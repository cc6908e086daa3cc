import type { IncomingMessage } from 'node:http';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  LogController,
  type RouteOptions,
} from 'fastify';
import { WAIT_MAX_SECONDS } from './calls/prefer.ts';
import { addAuditRoute } from './control/audit.ts';
import { installAudit } from './control/audit-changes.ts';
import { addPauseRoutes } from './control/pauses.ts';
import { addSettingsRoutes } from './control/settings.ts';
import { addWorkerRoutes } from './control/workers.ts';
import type { ApiDeps } from './deps.ts';
import { AnswerBudget } from './limits/answer-budget.ts';
import { addOpenapiRoutes, installOpenapi } from './openapi/openapi.ts';
import { addAssets } from './pages/assets.ts';
import { answerBudgetGuard, installAnswerBudget } from './plugins/answer-budget.ts';
import { answerBrokenRequest, refuseTunnels } from './plugins/broken-requests.ts';
import { callIdGuard } from './plugins/call-id.ts';
import { installCloseConnections } from './plugins/close-connections.ts';
import { installCors } from './plugins/cors.ts';
import { installCountRequests } from './plugins/count-requests.ts';
import { drainingGuard } from './plugins/draining.ts';
import { expectationGuard, installExpectation } from './plugins/expectation.ts';
import { installGuards } from './plugins/guards.ts';
import { installHalfOpen } from './plugins/half-open.ts';
import { idempotencyKeyGuard } from './plugins/idempotency-key.ts';
import { bodySizeGuard, installJsonBody, mediaTypeGuard } from './plugins/json-body.ts';
import { KnownPaths } from './plugins/known-paths.ts';
import { checkReading, oneReadingGuard } from './plugins/one-reading.ts';
import { principalGuard, readmitLate } from './plugins/principal.ts';
import { installProblems, sendProblem } from './plugins/problems.ts';
import { rateLimitGuard } from './plugins/rate-limit.ts';
import { responseHeadersGuard } from './plugins/response-headers.ts';
import { traceGuard } from './plugins/trace.ts';
import { redisGuard } from './plugins/until-reconnected.ts';
import { installValidation } from './plugins/validation.ts';
import { optionsGuard, verbGuard } from './plugins/verbs.ts';
import { basePath } from './records/location.ts';
import { addApiKeyRoutes } from './routes/api-keys.ts';
import { addAsyncapiRoute } from './routes/asyncapi.ts';
import { addBulkAccountRoutes } from './routes/bulk-accounts.ts';
import { addBulkCallRoute } from './routes/bulk-calls.ts';
import { addCallRecordRoutes } from './routes/call-records.ts';
import { addCallRoutes } from './routes/calls.ts';
import { addDocsRoutes } from './routes/docs.ts';
import { addHealthRoutes } from './routes/health.ts';
import { addMessengerAccountRoutes } from './routes/messenger-accounts.ts';
import { addMethodRoute } from './routes/method.ts';
import { addMethodsRoute } from './routes/methods.ts';
import { addMetricsRoute } from './routes/metrics.ts';
import { addOrganizationRoutes } from './routes/organizations.ts';
import { addProblemRoutes } from './routes/problems.ts';
import { addReplayCallsRoute } from './routes/replay-calls.ts';
import { addResetRoute } from './routes/reset.ts';
import { addSandboxRoutes } from './routes/sandbox.ts';
import { addScalingRoute } from './routes/scaling.ts';
import { addSponsoredMessagesRoutes } from './routes/sponsored-messages.ts';
import { addUpdateRoutes } from './routes/updates.ts';
import { addWebhookDeliveryRoutes } from './routes/webhook-deliveries.ts';
import { addWebhookRoutes } from './routes/webhooks.ts';
import { addWorkspaceRoutes } from './routes/workspaces.ts';
import { boundConnections } from './server/bound-connections.ts';
import { laneOf } from './server/lane-of.ts';
import { MAX_HEADER_BYTES, openServer } from './server/open-server.ts';
import { withoutOrigin } from './server/without-origin.ts';

const SECOND = 1_000;

/**
 * Builds the HTTP app, ready to listen or to be injected into. It neither opens nor closes its dependencies. `onRoute` is called for every
 * route.
 */
export function buildApp(deps: ApiDeps, onRoute?: (route: RouteOptions) => void): FastifyInstance {
  const { config } = deps;
  const base = basePath(config);
  const app = Fastify({
    loggerInstance: ownLogger(deps),
    logController: new LogController({ disableRequestLogging: true }),
    // A logger per request would cost more than everything that is logged.
    childLoggerFactory: (logger) => logger,
    return503OnClosing: false,
    serverFactory: (handle, options) =>
      openServer(handle, options, (request) => laneOf(deps.directory.apiKeys, request)),
    requestTimeout: 30 * SECOND,
    // A connection is silent while its call runs or is waited for; only one that is silent for longer is dead.
    connectionTimeout: Math.max(config.CALL_TIMEOUT_MS, WAIT_MAX_SECONDS * SECOND) + 60 * SECOND,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: 15 * SECOND,
      connectionsCheckingInterval: 0.5 * SECOND,
      // Node's own check answers without a body.
      requireHostHeader: false,
    },
    // An overlong id is answered like an unknown one; the limit of the headers bounds it.
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: MAX_HEADER_BYTES,
    },
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) =>
      sendProblem(request, reply, checkReading(request) ?? error, deps.log),
    ...(base === ''
      ? {}
      : {
          rewriteUrl: ({ url = '/' }: IncomingMessage) => withoutBase(url, base),
        }),
  });
  if (onRoute) app.addHook('onRoute', onRoute);
  const answers = new AnswerBudget(config.ANSWER_BYTES_IN_FLIGHT_MAX);
  const setConnectionsMax = boundConnections(app.server);
  deps.control.live.follow(() => {
    answers.shares.max = config.ANSWER_BYTES_IN_FLIGHT_MAX;
    setConnectionsMax(config.CONNECTIONS_MAX);
  });
  installCloseConnections(app);
  refuseTunnels(app);
  installHalfOpen(app);
  installExpectation(app);
  installProblems(app, deps.log);
  installValidation(app);
  installCountRequests(app, deps.metrics);
  app.decorateRequest('callId', '');
  app.decorateRequest('trace', undefined);
  app.decorateRequest('principal', null as never);
  installJsonBody(app, readmitLate(deps.directory));
  installCors(app, config.CORS_ORIGINS);
  const paths = new KnownPaths(app);
  installGuards(app, [
    responseHeadersGuard,
    oneReadingGuard,
    callIdGuard,
    drainingGuard(deps.lifecycle),
    optionsGuard(paths),
    expectationGuard,
    redisGuard(deps.connections),
    principalGuard(deps.directory.apiKeys),
    rateLimitGuard(deps),
    traceGuard(deps.tracing),
    answerBudgetGuard(answers),
    verbGuard(app, paths),
    idempotencyKeyGuard,
    bodySizeGuard,
    mediaTypeGuard,
  ]);
  installAnswerBudget(app, answers);
  app.decorateRequest('account', null as never);
  app.decorateRequest('record', null as never);
  app.decorateRequest('changed', undefined);
  installAudit(app, deps);
  installOpenapi(app, config);
  // A plugin, so that it runs once the OpenAPI plugin listens to the routes.
  app.register((routes, _options, done) => {
    addRoutes(routes, deps, answers);
    done();
  });
  return app;
}

function addRoutes(app: FastifyInstance, deps: ApiDeps, answers: AnswerBudget): void {
  addHealthRoutes(app, deps);
  addMetricsRoute(app, deps);
  addScalingRoute(app, deps);
  addPauseRoutes(app, deps);
  addWorkerRoutes(app, deps);
  addSettingsRoutes(app, deps);
  addAuditRoute(app, deps);
  addOpenapiRoutes(app);
  addAsyncapiRoute(app, deps.config);
  const assets = addAssets(app, deps.config);
  addDocsRoutes(app, deps.config, assets);
  addProblemRoutes(app, deps.config, assets);
  addOrganizationRoutes(app, deps);
  addWorkspaceRoutes(app, deps);
  addMessengerAccountRoutes(app, deps);
  addBulkAccountRoutes(app, deps);
  addApiKeyRoutes(app, deps);
  addWebhookRoutes(app, deps);
  addWebhookDeliveryRoutes(app, deps);
  addCallRoutes(app, deps, answers);
  addBulkCallRoute(app, deps, answers);
  addCallRecordRoutes(app, deps);
  addReplayCallsRoute(app, deps);
  addMethodsRoute(app, deps);
  addMethodRoute(app, deps);
  addUpdateRoutes(app, deps);
  addSandboxRoutes(app, deps);
  addResetRoute(app, deps);
  addSponsoredMessagesRoutes(app, deps);
}

/** Fastify's own `info` lines are of no use to an operator. */
function ownLogger({ log, config, control }: ApiDeps): FastifyBaseLogger {
  const own = log.child({});
  control.live.follow(() => {
    const { LOG_LEVEL: level } = config;
    own.level = ['info', 'debug', 'trace'].includes(level) ? 'warn' : level;
  });
  return own;
}

/** Strips the base path, which a proxy may leave in the address or take away. */
function withoutBase(whole: string, base: string): string {
  const url = withoutOrigin(whole);
  if (!url.startsWith(base)) return url;
  const rest = url.slice(base.length);
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest.startsWith('/') ? rest : url;
}
