/**
 * By sections of docs/limits.md: the requests that they bound. Beside them *Requests* and *Things and keys* bound all. Braces with a comma
 * stand for several paths.
 */
export const REQUEST_BOUNDS: Readonly<Record<string, readonly string[]>> = {
  Reads: [
    'GET /{metrics,openapi.json,openapi-shallow.json,asyncapi.json}',
    'GET /v1/{scaling,audit,methods,calls,organizations,workspaces,messenger-accounts,api-keys,webhooks}',
    'GET /v1/methods/{name}',
    'GET /v1/calls/{id}',
    'GET /v1/workspaces/{workspaceId}/updates',
    'GET /v1/webhooks/{id}/deliveries',
    'GET /v1/webhooks/{id}/deliveries/{deliveryId}',
  ],
  'Params and methods': [
    'POST /workspaces/{workspaceId}/messenger-accounts/{accountId}/call/{method}',
    'POST /workspaces/{workspaceId}/calls',
    'GET,PUT /v1/messenger-accounts/{id}/sandbox/{faults,sponsored-messages}',
    'POST /v1/messenger-accounts/{id}/sandbox/reset',
  ],
  'Calls and webhooks': [
    'POST /workspaces/{workspaceId}/messenger-accounts/{accountId}/call/{method}',
    'POST /workspaces/{workspaceId}/calls',
    'GET,PUT /v1/messenger-accounts/{id}/sandbox/{faults,sponsored-messages}',
    'POST /v1/messenger-accounts/{id}/sandbox/reset',
    'DELETE /v1/calls/{id}',
    'POST /v1/calls/{id}/replay',
    'POST /v1/calls/replay',
    'POST /v1/webhooks/{id}/{ping,recover,rotate-secret}',
    'POST /v1/webhooks/{id}/deliveries/{deliveryId}/resend',
    'POST /v1/messenger-accounts',
    'POST /v1/messenger-accounts/{bulk,bulk-delete}',
    'GET /v1/{pauses,workers}',
    'PUT,DELETE /v1/pauses/{kind}/{id}',
    'POST /v1/workers/{id}/drain',
  ],
  'Processes and Redis': ['DELETE /v1/{organizations,workspaces,messenger-accounts,api-keys,webhooks}/{id}'],
  // By nothing else.
  Requests: [
    'GET /{livez,readyz,docs,console,problems}',
    'GET /',
    'GET /assets/{version}/*',
    'GET /problems/{code}',
    'GET,PATCH /v1/settings',
    'GET,PATCH /v1/{organizations,workspaces,messenger-accounts,api-keys,webhooks}/{id}',
    'POST /v1/{organizations,workspaces,api-keys,webhooks}',
  ],
};
