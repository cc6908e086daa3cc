// Writes the OpenAPI document of a running service with examples of things that it has, which this program creates: for judges that send
// what the document shows. Usage: API=… KEY=… node seed-document.mjs [openapi.json]
import { writeFileSync } from 'node:fs';

const { API = '', KEY = '' } = process.env;
const [file = 'openapi.json'] = process.argv.slice(2);
const IN_AN_HOUR = new Date(Date.now() + 3_600_000).toISOString();

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>}
 */
async function ask(method, path, body) {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const answer = await fetch(`${API}${path}`, {
    ...{ method, headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
  return text === '' ? null : JSON.parse(text);
}

/** @type {(path: string, body?: object) => Promise<string>} */
const create = async (path, body) => (await ask('POST', path, body)).id;
const anAccount = () => create('/v1/messenger-accounts', { name: 'Ada', workspaceId, driver: 'sandbox' });
/** @param {string} name */
const callPath = (name) => `/workspaces/${workspaceId}/messenger-accounts/${accountId}/call/${name}`;

const organizationId = await create('/v1/organizations', { name: 'Judged' });
const workspaceId = await create('/v1/workspaces', { name: 'Judged', organizationId });
const accountId = await anAccount();

/**
 * One of everything that the path of an operation names by its id.
 * @type {Record<string, () => Promise<string>>}
 */
const MAKERS = {
  organizations: () => create('/v1/organizations', { name: 'Other' }),
  workspaces: () => create('/v1/workspaces', { name: 'Other', organizationId }),
  'messenger-accounts': anAccount,
  'api-keys': () => create('/v1/api-keys', { name: 'Key', workspaceId, scopes: ['calls:read'] }),
  webhooks: () => create('/v1/webhooks', { workspaceId, url: 'https://example.com/updates' }),
  pauses: () => create('/v1/workspaces', { name: 'Other', organizationId }),
  calls: () => create(callPath('help.getSupport'), { params: {}, scheduleAt: IN_AN_HOUR }),
};

const document = await ask('GET', '/openapi-shallow.json');
// The worker that answers the rest would end.
delete document.paths['/v1/workers/{id}/drain'];
const { parameters } = document.components;
parameters.WorkspaceId.example = workspaceId;
parameters.AccountId.example = accountId;
parameters.Method.example = 'help.getSupport';

for (const [path, operations] of Object.entries(document.paths))
  for (const [verb, operation] of Object.entries(/** @type {Record<string, any>} */ (operations))) {
    await nameThings(path, verb, operation);
    await giveExample(path, operation);
    // Nothing here is refused, and with all that could be newman takes an hour.
    for (const status of Object.keys(operation.responses))
      if (status > '299') delete operation.responses[status];
  }
writeFileSync(file, JSON.stringify(document));

/**
 * @param {string} path
 * @param {string} verb
 * @param {{ operationId: string, parameters?: any[] }} operation
 */
async function nameThings(path, verb, { operationId, parameters: given = [] }) {
  /** @type {Record<string, string>} */
  const ids = { code: 'not_found', kind: 'workspace', name: 'messages.sendMessage', workspaceId };
  const make = MAKERS[path.split('/')[2] ?? ''];
  if (path.includes('/{id}') && make !== undefined) ids.id = await make();
  if (operationId.startsWith('replay') && ids.id !== undefined) await ask('DELETE', `/v1/calls/${ids.id}`);
  if (path.includes('{deliveryId}')) ids.deliveryId = await create(`/v1/webhooks/${ids.id}/ping`);
  for (const parameter of given) {
    if (parameter.in === 'path') parameter.example = ids[parameter.name];
    // What has something below it is deleted with that.
    if (parameter.name === 'cascade' && verb === 'delete')
      Object.assign(parameter, { required: true, example: true });
  }
}

/**
 * @param {string} path
 * @param {{ operationId: string, requestBody?: any, parameters?: any[] }} operation
 */
async function giveExample(path, { operationId, requestBody, parameters: given = [] }) {
  const content = requestBody?.content['application/json'];
  if (content === undefined) return;
  const [, name] = /\/call\/(\w+\.\w+)$/.exec(path) ?? [];
  if (name !== undefined) {
    // Each method has an account of its own, as an example may use up what another needs.
    const own = await anAccount();
    const { example } = await ask('GET', `/v1/methods/${name}?messengerAccountId=${own}`);
    // A few need what a new account does not have.
    if (example === null) delete document.paths[path];
    content.example = example;
    const at = given.findIndex(({ $ref }) => $ref === '#/components/parameters/AccountId');
    given[at] = { ...parameters.AccountId, example: own };
  } else if (path.includes('/call/')) content.example = { params: {} };
  else if (operationId === 'deleteMessengerAccounts') content.example = { ids: [await anAccount()] };
  else
    content.example = JSON.parse(
      JSON.stringify(content.example)
        .replace(/org_\w{26}/g, organizationId)
        .replace(/ws_\w{26}/g, workspaceId)
        .replace(/acc_\w{26}/g, accountId),
    );
}
