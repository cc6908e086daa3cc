import { expect, test } from 'vitest';
import { formatBanner } from '../../../src/launch/banner.ts';

const account = { driver: 'sandbox', status: 'active' };
const facts = {
  origin: 'http://127.0.0.1:3000',
  rootKeyFile: '.switchboard/root-key',
  redis: 'private, in .switchboard/redis',
  apis: 1,
  workers: { min: 1, max: 2 },
  demo: {
    workspaceId: 'ws_1',
    accounts: [
      { ...account, id: 'acc_1', userId: 1001 },
      { ...account, id: 'acc_2', userId: 1002 },
    ],
  },
};

function commandsOf(banner: string): string[] {
  return banner
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('curl '));
}

test('says where Switchboard is and where its key lies', () => {
  const banner = formatBanner(facts);
  expect(banner).toContain('http://127.0.0.1:3000');
  expect(banner).toContain('http://127.0.0.1:3000/docs');
  expect(banner).toContain('.switchboard/root-key');
});

test('gives a call, the stream and a list to paste', () => {
  const [call, stream, list] = commandsOf(formatBanner(facts));
  expect(call).toContain('/workspaces/ws_1/messenger-accounts/acc_1/call/messages.sendMessage');
  const body = JSON.parse(call?.match(/-d '(.*)'$/)?.[1] ?? '');
  expect(body.params.peer).toEqual({
    _: 'inputPeerUser',
    userId: 1002,
    accessHash: '0',
  });
  expect(stream).toContain('"http://127.0.0.1:3000/v1/workspaces/ws_1/updates?offset=-1&live=sse"');
  expect(list).toContain('/v1/organizations');
});

test('gives the commands that there is something for', () => {
  const withoutAccounts = {
    ...facts,
    demo: { workspaceId: 'ws_1', accounts: [] },
  };
  expect(commandsOf(formatBanner(withoutAccounts))).toHaveLength(2);
  expect(commandsOf(formatBanner({ ...facts, demo: null }))).toHaveLength(1);
});

test('quotes a path that a shell would take apart', () => {
  const banner = formatBanner({
    ...facts,
    rootKeyFile: "/tmp/it's here/root-key",
  });
  expect(banner).toContain(`$(cat '/tmp/it'\\''s here/root-key')`);
});
