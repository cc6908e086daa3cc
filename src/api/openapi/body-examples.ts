const ORGANIZATION = 'org_01h455vb4pex5vsknk084sn02q';
const WORKSPACE = 'ws_01h455vb4pex5vsknk084sn02q';
const ACCOUNT = 'acc_01h455vb4pex5vsknk084sn02q';
const MESSAGE_PARAMS = { peer: { _: 'inputPeerSelf' }, message: 'Hello' };

/** Request bodies by `operationId`. They succeed once their ids are replaced by those of existing records. */
export const BODY_EXAMPLES: Readonly<Record<string, object>> = {
  callMany: { calls: [{ accountId: ACCOUNT, method: 'messages.sendMessage', params: MESSAGE_PARAMS }] },
  createOrganization: { name: 'Acme' },
  changeOrganization: { name: 'Acme Ltd' },
  createWorkspace: { name: 'Support', organizationId: ORGANIZATION },
  changeWorkspace: { name: 'Sales', maxConcurrentCalls: 10 },
  createMessengerAccount: { name: 'Ada', workspaceId: WORKSPACE, driver: 'sandbox' },
  createMessengerAccounts: {
    workspaceId: WORKSPACE,
    accounts: [{ name: 'Ada' }, { name: 'Grace', bot: true }],
  },
  deleteMessengerAccounts: { ids: [ACCOUNT] },
  changeMessengerAccount: { name: 'Ada L.' },
  createApiKey: { name: 'Bot', workspaceId: WORKSPACE, scopes: ['calls:write', 'updates:read'] },
  changeApiKey: { rateLimit: { limit: 100, windowSeconds: 60 } },
  createWebhook: {
    workspaceId: WORKSPACE,
    url: 'https://example.com/updates',
    kinds: ['RawUpdateNewMessage'],
  },
  changeWebhook: { kinds: null },
  pause: { mode: 'refuse', reason: 'It is being moved' },
  changeSettings: { logLevel: 'debug', accountsPerWorkspace: 20_000 },
  recoverWebhook: { since: '2026-01-01T00:00:00Z' },
  replayCalls: { workspaceId: WORKSPACE, status: 'failed' },
  replaceFaults: { faults: [{ method: 'messages.sendMessage', count: 1, error: 'FLOOD_WAIT_5' }] },
  replaceSponsoredMessages: {
    messages: [{ title: 'Tea', message: 'Fresh leaves', url: 'https://example.com/tea' }],
  },
};
