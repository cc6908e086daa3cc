import { afterAll, beforeAll, expect, it } from 'vitest';
import { enlargeWorkspace, FILLED_FROM } from '../../support/sandbox/large-account.ts';
import { readCostOf } from '../../support/sandbox/read-cost.ts';
import { peerOf, Sandbox, type SandboxAccount } from '../../support/sandbox/sandbox.ts';

// Beyond every window that a method looks at, so that whatever still grows with the size shows.
const SIZE = 2_500;
const TIMES = 8;

// The same call reads a little more where ids are longer, and where there is something instead of nothing.
const MORE = 1.25;
const SLACK = { commands: 15, values: 150, bytes: 50_000 };

/** No call needs more than this of a large account, whatever it asks. */
const MOST = { commands: 2_500, values: 12_000, bytes: 6 * 1024 * 1024 };

/** Executed methods without an example. They are made of what other methods are made of. */
const WITHOUT = [
  'bots.getBotCommands',
  'bots.getBotInfo',
  'bots.getBotMenuButton',
  'bots.resetBotCommands',
  'bots.setBotBroadcastDefaultAdminRights',
  'bots.setBotCommands',
  'bots.setBotGroupDefaultAdminRights',
  'bots.setBotInfo',
  'bots.setBotMenuButton',
  'messages.setBotCallbackAnswer',
];

// Most of what is pinned in the large account is no message.
const UNSUITED = 'messages.unpinAllMessages';

type Params = Record<string, unknown>;

interface Asked {
  /** A basic group of the account. */
  group: object;
  /** The id of a message of which there are half as many before and behind it. */
  middleId: number;
}

/** Asks for more than an example does. */
type Change = (params: Params, asked: Asked) => Params;

/** What makes an example ask for as much as it may, beside the highest `limit`. */
const HARDER: Record<string, Change> = {
  'channels.readHistory': (params, { middleId }) => ({ ...params, maxId: middleId }),
  'messages.readDiscussion': (params, { middleId }) => ({ ...params, readMaxId: middleId }),
  'messages.readHistory': (params, { middleId }) => ({ ...params, maxId: middleId }),
  'messages.search': (params) => ({ ...params, q: 'nothing says this' }),
  'messages.getMessages': (params) => ({ ...params, id: someMessages() }),
  'channels.getMessages': (params) => ({ ...params, id: someMessages() }),
  'messages.deleteMessages': (params) => ({ ...params, id: someIds() }),
  'channels.deleteMessages': (params) => ({ ...params, id: someIds() }),
  'messages.readMessageContents': (params) => ({ ...params, id: someIds() }),
  'channels.readMessageContents': (params) => ({ ...params, id: someIds() }),
  'messages.getMessagesViews': (params) => ({ ...params, id: someIds() }),
  'messages.sendReaction': (params) => ({
    ...params,
    reaction: [{ _: 'reactionEmoji', emoticon: '🔥' }],
  }),
  'messages.searchGlobal': (params) => ({ ...params, q: 'nothing says this' }),
  'messages.addChatUser': (params) => ({ ...params, fwdLimit: 100 }),
  'messages.deleteChatUser': (params) => ({ ...params, revokeHistory: true }),
};

/** More than one way to ask: other params of a method, each under a name of its own. */
const ALSO: Record<string, [method: string, Change]> = {
  'messages.getHistory far away': ['messages.getHistory', (params) => ({ ...params, addOffset: 2_000 })],
  'messages.getHistory by date': [
    'messages.getHistory',
    (params) => ({ ...params, offsetDate: 2 ** 31 - 1 }),
  ],
  'messages.getHistory of a group': ['messages.getHistory', inGroup],
  'messages.getDialogs by date': ['messages.getDialogs', (params) => ({ ...params, offsetDate: 1 })],
  'messages.getForumTopics by title': ['messages.getForumTopics', (params) => ({ ...params, q: 'e' })],
  'messages.sendMessage to a group': ['messages.sendMessage', inGroup],
  'messages.search in a group': ['messages.search', inGroup],
};

let sandbox: Sandbox;
let small: SandboxAccount;
let large: SandboxAccount;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  [small, large] = await Promise.all([aLargeAccount(SIZE), aLargeAccount(SIZE * TIMES)]);
}, 120_000);
afterAll(() => sandbox.close());

/** An account that has used everything, in a workspace whose collections all have so many entries. */
async function aLargeAccount(size: number): Promise<SandboxAccount> {
  const [ada, bob] = await sandbox.twoAccounts();
  const { contactId, chatId } = await sandbox.seeded(ada);
  await sandbox.send(bob, peerOf(ada), 'Hello');
  await sandbox.send(ada, peerOf(bob), 'Hello');
  const contact = { _: 'inputPeerUser', userId: contactId, accessHash: '0' };
  await sandbox.send(ada, contact, 'Hello');
  await sandbox.send(ada, { _: 'inputPeerChat', chatId }, 'Hello');
  await sandbox.call(ada, 'contacts.block', { id: peerOf(bob) });
  const examples = await examplesFor(ada);
  // What leaves something behind that methods look through.
  for (const name of LEAVING) await sandbox.call(ada, name, examples[name] as object);
  await enlargeWorkspace(sandbox.redis, ada.workspaceId, size);
  return ada;
}

const LEAVING = [
  'account.installTheme',
  'account.registerPasskey',
  'account.setPrivacy',
  'contacts.addContact',
  'messages.sendReaction',
  'messages.sendVote',
  'messages.getMessagesViews',
  'messages.readHistory',
  'payments.validateRequestedInfo',
  'payments.updateStarGiftPrice',
];

async function examplesFor(account: SandboxAccount): Promise<Record<string, Params>> {
  const methods = [...sandbox.driver.methods.keys()];
  return (await sandbox.order(account, 'getExamples', { methods })).examples;
}

function asMuchAsItGives(name: string, params: Params, asked: Asked): Params {
  const most = 'limit' in params && name !== 'upload.getFile' ? { ...params, limit: 100 } : params;
  return HARDER[name]?.(most, asked) ?? most;
}

function someIds(): number[] {
  return Array.from({ length: 100 }, (_, i) => FILLED_FROM + SIZE - i);
}

function someMessages(): object[] {
  return someIds().map((id) => ({ _: 'inputMessageID', id }));
}

it('what a method reads does not grow with what there is', async () => {
  const [ofSmall, ofLarge] = [await examplesFor(small), await examplesFor(large)];
  const names = [...sandbox.driver.methods.keys()];
  expect(names.filter((name) => !ofSmall[name] || !ofLarge[name]).toSorted()).toEqual(WITHOUT);
  const asked = [
    ...names
      .filter((name) => !WITHOUT.includes(name) && name !== UNSUITED)
      .map((name) => [name, name, (params: Params) => params] as const),
    ...Object.entries(ALSO).map(([title, [name, change]]) => [title, name, change] as const),
  ];
  const findings: string[] = [];
  for (const [title, name, change] of asked) {
    const of = async (account: SandboxAccount, examples: Record<string, Params>, size: number) => {
      const { chatId } = await sandbox.seeded(account);
      const asked = { group: { _: 'inputPeerChat', chatId }, middleId: FILLED_FROM + size / 2 };
      return readCostOf(
        sandbox,
        account,
        name,
        change(asMuchAsItGives(name, examples[name] as Params, asked), asked),
      );
    };
    try {
      const [less, more] = [await of(small, ofSmall, SIZE), await of(large, ofLarge, SIZE * TIMES)];
      for (const what of ['commands', 'values', 'bytes'] as const) {
        const grows = more[what] > less[what] * MORE + SLACK[what];
        if (grows || more[what] > MOST[what]) {
          findings.push(`${title}: ${what} ${less[what]} of ${SIZE}, ${more[what]} of ${SIZE * TIMES}`);
        }
      }
    } catch (error) {
      findings.push(`${title}: ${(error as Error).message}`);
    }
  }
  expect(findings).toEqual([]);
}, 120_000);

function inGroup(params: Params, { group }: Asked): Params {
  return { ...params, peer: group };
}
