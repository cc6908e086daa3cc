/** The groups of operations, in the order in which a reader needs them. */
export const TAGS = [
  { name: 'Method calls', description: 'Calling methods of the messenger for an account' },
  { name: 'Methods', description: 'Reference of methods: params, errors, examples' },
  { name: 'Calls', description: 'Async calls: their states and results, and replays' },
  { name: 'Updates', description: 'What happens to the accounts of a workspace, in one order' },
  { name: 'Webhooks', description: 'Updates sent to an address of yours' },
  { name: 'Organizations', description: 'The tenants, which own everything else' },
  { name: 'Workspaces', description: 'The parts of an organization, each with an update stream' },
  { name: 'Messenger accounts', description: 'Accounts of a messenger, connected to workspaces' },
  { name: 'API keys', description: 'Keys with scopes, of an organization or a workspace' },
  { name: 'Sandbox', description: 'Faults, sponsored messages and resets of sandbox accounts' },
  {
    name: 'Operation',
    description: 'Health, metrics, scaling and workers; pauses, settings and who changed them; the errors',
  },
];
