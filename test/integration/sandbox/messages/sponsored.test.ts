import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../../src/ids.ts';
import { Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let owner: SandboxAccount;
let reader: SandboxAccount;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  const id = newId('workspace');
  [owner, reader] = await Promise.all([
    sandbox.anAccount('Account', { workspaceId: id }),
    sandbox.anAccount('Account', { workspaceId: id }),
  ]);
});

afterAll(() => sandbox.close());

const EMPTY = { _: 'inputPeerEmpty' };

function sponsored(account: SandboxAccount, peer: object = EMPTY) {
  return sandbox.call(account, 'messages.getSponsoredMessages', { peer });
}

async function refusal(peer: object, more: object = {}): Promise<string> {
  const answer = await sandbox.answer(owner, 'messages.getSponsoredMessages', { peer, ...more });
  return answer.body.code;
}

it('shows the furnished sponsored message with every documented field', async () => {
  const found = await sponsored(owner);
  expect(found).toMatchObject({
    _: 'messages.sponsoredMessages',
    postsBetween: expect.any(Number),
    startDelay: expect.any(Number),
    betweenDelay: expect.any(Number),
    chats: [{ _: 'channel' }],
    users: [],
  });
  expect(Object.keys(found.messages[0]).sort()).toEqual(
    [
      ...[
        '_',
        'recommended',
        'canReport',
        'randomId',
        'url',
        'title',
        'message',
        'entities',
        'photo',
        'media',
      ],
      ...['color', 'buttonText', 'sponsorInfo', 'additionalInfo', 'minDisplayDuration', 'maxDisplayDuration'],
    ].sort(),
  );
});

it('refuses what has no sponsored messages', async () => {
  expect(await refusal({ _: 'inputPeerSelf' })).toBe('PEER_ID_INVALID');
  expect(await refusal({ _: 'inputPeerUser', userId: reader.userId, accessHash: '0' })).toBe(
    'PEER_ID_INVALID',
  );
  expect(await refusal({ _: 'inputPeerChat', chatId: 1 })).toBe('PEER_ID_INVALID');
  expect(await refusal({ _: 'inputPeerChannel', channelId: 4_242, accessHash: '0' })).toBe('CHANNEL_INVALID');
  expect(await refusal(EMPTY, { msgId: 999 })).toBe('MSG_ID_INVALID');
});

it('takes inputPeerEmpty for nothing where peers are strict', async () => {
  const strict = await sandbox.anAccount('Account', { workspaceId: owner.workspaceId, strictPeers: true });
  const answer = await sandbox.answer(strict, 'messages.getSponsoredMessages', { peer: EMPTY });
  expect(answer.body.code).toBe('PEER_ID_INVALID');
});
