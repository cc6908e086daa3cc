import { afterAll, beforeAll, expect, it } from 'vitest';
import { decodeFirst } from '../../../workers/sandbox/model/passkeys/cbor.ts';
import { collidingNumbers } from '../../support/colliding-numbers.ts';
import { leastCpuMs } from '../../support/growth.ts';
import { aChannel, type TestChannel } from '../../support/sandbox/a-channel.ts';
import { Sandbox, type SandboxAccount } from '../../support/sandbox/sandbox.ts';

// As many as a body may have.
const IDS = collidingNumbers(32_000);
// A set of all of them takes more than a second.
const MOST_MS = 500;
const SELF = { _: 'inputPeerSelf' };

let sandbox: Sandbox;
let ada: SandboxAccount;
let forum: TestChannel;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  ada = await sandbox.anAccount();
  forum = await aChannel(sandbox, ada, { megagroup: true, forum: true });
});
afterAll(() => sandbox.close());

const ASKING: Record<string, (given: TestChannel) => object> = {
  'channels.deleteMessages': ({ channel }) => ({ channel, id: IDS }),
  'channels.readMessageContents': ({ channel }) => ({ channel, id: IDS }),
  'messages.deleteMessages': () => ({ id: IDS, revoke: false }),
  'messages.deleteScheduledMessages': () => ({ peer: SELF, id: IDS }),
  'messages.getForumTopicsByID': ({ peer }) => ({ peer, topics: IDS }),
  'messages.getMessagesReactions': () => ({ peer: SELF, id: IDS }),
  'messages.readMessageContents': () => ({ id: IDS }),
  'messages.reorderPinnedForumTopics': ({ peer }) => ({ peer, force: false, order: IDS }),
  'messages.sendScheduledMessages': () => ({ peer: SELF, id: IDS }),
  'messages.updateDialogFiltersOrder': () => ({ order: IDS }),
};

it.each(Object.entries(ASKING))('%s takes little time, whatever ids it is given', async (name, paramsOf) => {
  const { user, system } = process.cpuUsage();
  const { status } = await sandbox.answer(ada, name, paramsOf(forum));
  const spent = process.cpuUsage();
  expect([200, 400]).toContain(status);
  expect((spent.user + spent.system - user - system) / 1_000).toBeLessThan(MOST_MS);
});

it('a map of very many numbers in an attestation is refused at once', () => {
  const HELD_MAX_MS = 10;
  const members = collidingNumbers(8_000).map((number) => {
    const bytes = Buffer.from([0x1a, 0, 0, 0, 0, 0]);
    bytes.writeUInt32BE(number, 1);
    return bytes;
  });
  const map = Buffer.concat([Buffer.from([0xb9, members.length >> 8, members.length & 0xff]), ...members]);
  expect(() => decodeFirst(map)).toThrow(RangeError);
  expect(leastCpuMs(() => decodeFirst(map), HELD_MAX_MS)).toBeLessThan(HELD_MAX_MS);
});
