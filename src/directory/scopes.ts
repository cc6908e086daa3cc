/** What an API key may be allowed to do, each with the sentence the documentation shows. */
export const SCOPES = {
  'calls:write': 'Call methods of messenger accounts, and cancel such calls',
  'calls:read': 'See calls and their results',
  'updates:read': 'Read the update stream, with the results of async calls',
  'organizations:read': 'See its organization',
  'organizations:write': 'Change or delete its organization',
  'workspaces:read': 'See workspaces',
  'workspaces:write': 'Create, change and delete workspaces',
  'accounts:read': 'See messenger accounts',
  'accounts:write': 'Create, change and delete messenger accounts',
  'keys:read': 'See API keys, never their secrets',
  'keys:write': 'Create and delete API keys, with no scope that the key itself lacks and no longer life',
  'webhooks:read': 'See webhooks',
  'webhooks:write':
    'Create, change and delete webhooks, and so have all updates and results of async calls sent to a URL of its choice',
  'metrics:read': 'Read the metrics of the whole gateway; only the root key gives this scope',
  operate:
    'See load, workers and waits of the whole gateway, pause calls, drain workers, change settings, see who has changed what; only the root key gives this scope',
} as const;

export type Scope = keyof typeof SCOPES;

/** Those that cover all tenants: only the root key gives them. */
export const OPERATOR_SCOPES: ReadonlySet<Scope> = new Set(['metrics:read', 'operate']);
