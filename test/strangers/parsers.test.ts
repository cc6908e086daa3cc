import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, type Answer, Service } from '../support/service/service.ts';
import { repeat } from '../support/strangers/repeat.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

const MiB = 1024 * 1024;

let service: Service;
let victim: Victim;
let attacker: Account;

beforeAll(async () => {
  service = await Service.start();
  victim = await Victim.create(service);
  attacker = await anAttacker();
});

afterAll(() => service.stop());

/** Of a workspace of its own. */
async function anAttacker(): Promise<Account> {
  return service.anAccount((await service.aWorkspace()).id);
}

it('takes no time over long names of errors', async () => {
  const faults = Array.from({ length: 62 }, () => ({ method: '*', error: '1_'.repeat(8_000) }));
  const harm = await victim.during(() =>
    repeat(() => service.request('PUT', `/v1/messenger-accounts/${attacker.id}/sandbox/faults`, { faults })),
  );
  for (const { status, body } of harm.result) {
    expect(status).toBe(400);
    expect(body.errors).toHaveLength(20);
  }
  expectUnhurt('faults', harm);
});

const LENGTH = 32_759;
const repeated = (fragment: string) => fragment.repeat(Math.floor((LENGTH - 1) / fragment.length));

/** Texts that take seconds to read, as their senders name them. */
const BOMBS: Record<string, object> = {
  'an address that is none': markdown(`${repeated('a')}@`),
  'links without end': markdown(repeated('[](')),
  'formulas without end': markdown(repeated('\n$$a').slice(0, 26_000)),
  'lists in lists': markdown(`${repeated('- ')}a`),
  'quotes in quotes': markdown(repeated('> ')),
  'rows of tables': markdown(repeated('|\n|-\n').slice(0, 22_000)),
  'elements within elements': html(`${'<b>'.repeat(4_000)}${'</x>'.repeat(5_000)}`),
};

function markdown(text: string): object {
  return { _: 'inputRichMessageMarkdown', markdown: text };
}

function html(text: string): object {
  return { _: 'inputRichMessageHTML', html: text };
}

function bulkOf(account: Account, richMessage: object): Promise<Answer> {
  const params = { peer: { _: 'inputPeerSelf' }, message: '', richMessage };
  const calls = Array.from({ length: 31 }, () => ({
    accountId: account.id,
    method: 'messages.sendMessage',
    params,
  }));
  return service.request('POST', `/workspaces/${account.workspaceId}/calls`, { calls });
}

it.each(Object.keys(BOMBS))('reads a bulk of texts with %s in threads beside', async (name) => {
  const account = await anAttacker();
  const harm = await victim.during(() => repeat(() => bulkOf(account, BOMBS[name] as object)));
  const codes = harm.result.flatMap(({ status, body }) => {
    expect(status).toBe(200);
    return body.results.map(codeOf);
  });
  for (const code of codes) expect(['sent', 'MESSAGE_TOO_LONG', 'FLOOD_WAIT']).toContain(code);
  expectUnhurt(name, harm);
});

function codeOf({ status, body }: { status: number; body: { code?: string } }): string | undefined {
  return status === 200 ? 'sent' : body.code;
}

it('reads texts of many workspaces at once', async () => {
  const accounts = await Promise.all(Array.from({ length: 6 }, anAttacker));
  const texts = Object.values(BOMBS);
  const harm = await victim.during(() =>
    repeat(() => Promise.all(accounts.map((account, index) => bulkOf(account, texts[index] as object)))),
  );
  for (const { status } of harm.result.flat()) expect(status).toBe(200);
  expectUnhurt('texts of six workspaces', harm);
});

function megabyte(open: string, one: string, close: string): string {
  const count = Math.floor((MiB - open.length - close.length) / (one.length + 1));
  return `${open}${Array.from({ length: count }, () => one).join(',')}${close}`;
}

const KEYS = Array.from({ length: 80_000 }, (_, index) => `"k${index}":1`).join(',');
const CALL = '"accountId":"a","method":"users.getUsers"';

/** Bodies with as many values as fit, and one with nothing but a text; where they go, and what is answered. */
const BODIES: [string, string, string, number, string][] = [
  ['ids', 'POST', 'call', 413, megabyte('{"params":{"id":[', '1', ']}}')],
  ['empty objects', 'POST', 'call', 413, megabyte('{"params":{"id":[', '{}', ']}}')],
  ['unknown members', 'POST', 'call', 413, `{"params":{${KEYS}}}`],
  ['arrays in arrays', 'POST', 'call', 413, megabyte('{"params":[', '[[[[[[[[[]]]]]]]]]', ']}')],
  ['what is not closed', 'POST', 'call', 413, megabyte('{"params":[', '[]', '')],
  ['one escaped text', 'POST', 'call', 400, `{"params":{"id":["${'\\"'.repeat(MiB / 2 - 20)}"]}}`],
  ['ids', 'POST', 'bulk', 413, megabyte(`{"calls":[{${CALL},"params":{"id":[`, '1', ']}}]}')],
  ['calls', 'POST', 'bulk', 413, megabyte('{"calls":[', '{}', ']}')],
  ['empty objects', 'POST', 'organizations', 413, megabyte('{"name":[', '{}', ']}')],
  ['unknown members', 'POST', 'organizations', 413, `{${KEYS}}`],
  ['faults', 'PUT', 'faults', 413, megabyte('{"faults":[', '{}', ']}')],
];

it('refuses bodies of a megabyte with too many values, ten at once', async () => {
  const { id, workspaceId } = attacker;
  const paths: Record<string, string> = {
    call: `/workspaces/${workspaceId}/messenger-accounts/${id}/call/messages.deleteMessages`,
    bulk: `/workspaces/${workspaceId}/calls`,
    organizations: '/v1/organizations',
    faults: `/v1/messenger-accounts/${id}/sandbox/faults`,
  };
  const harm = await victim.during(() =>
    repeat(async () => {
      const answered: [string, string, number][] = [];
      for (const [what, verb, where, , body] of BODIES) {
        const requests = Array.from({ length: 10 }, () =>
          service.request(verb, paths[where] as string, body),
        );
        for (const { status } of await Promise.all(requests)) answered.push([what, where, status]);
      }
      return answered;
    }),
  );
  const expected = BODIES.flatMap(([what, , where, status]) => Array(10).fill([what, where, status]));
  for (const answered of harm.result) expect(answered).toEqual(expected);
  expectUnhurt('bodies', harm);
});

it('checks as many values as a body may have, ten at once', async () => {
  const id = Array.from({ length: 10_000 }, () => ({ _: 'inputUserSelf' }));
  const wrong = Array.from({ length: 100 }, () => ({
    accountId: attacker.id,
    method: 'messages.sendMessage',
    params: { entities: Array.from({ length: 100 }, () => ({ _: 'messageEntityQqqqqq' })) },
  }));
  const bodies = [
    { calls: [{ accountId: attacker.id, method: 'users.getUsers', params: { id } }] },
    { calls: wrong },
  ];
  const path = `/workspaces/${attacker.workspaceId}/calls?validate=only`;
  const harm = await victim.during(() =>
    repeat(async () => {
      const statuses: number[] = [];
      for (const body of bodies) {
        const requests = Array.from({ length: 10 }, () => service.request('POST', path, body));
        for (const { status } of await Promise.all(requests)) statuses.push(status);
      }
      return statuses;
    }),
  );
  expect(new Set(harm.result.flat())).toEqual(new Set([200]));
  expectUnhurt('many values', harm);
});
