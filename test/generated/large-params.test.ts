import { afterAll, beforeAll, expect, it } from 'vitest';
import { findMethod } from '../../src/tl/methods.ts';
import { measureKept } from '../support/sandbox/kept-bytes.ts';
import { Sandbox, type SandboxAccount } from '../support/sandbox/sandbox.ts';
import { largeParamsOf } from '../support/tl/large-params.ts';

/** What one call with one large member may leave in Redis, its recorded reply included, beside what the same call leaves anyway. */
const KEPT_MAX = 64 * 1024;
const REPLY_MAX = 256 * 1024;

// About the largest body that is taken, and one that fits into a commit many times.
const SIZES = [900 * 1024, 90 * 1024];

const BOT_SCOPE = { scope: { _: 'botCommandScopeDefault' }, langCode: '' };
const ITS_SCHEDULED = { peer: { _: 'inputPeerSelf' }, id: [1] };
/** Executed methods for which a new account has no example, and what they are asked instead. */
const WITHOUT_EXAMPLE: Record<string, object> = {
  'bots.getBotCommands': BOT_SCOPE,
  'bots.resetBotCommands': BOT_SCOPE,
  'bots.setBotCommands': { ...BOT_SCOPE, commands: [{ _: 'botCommand', command: 'a', description: 'A' }] },
  'messages.deleteScheduledMessages': ITS_SCHEDULED,
  'bots.getBotInfo': { langCode: '' },
  'bots.getBotMenuButton': { userId: { _: 'inputUserEmpty' } },
  'bots.setBotBroadcastDefaultAdminRights': { adminRights: { _: 'chatAdminRights' } },
  'bots.setBotGroupDefaultAdminRights': { adminRights: { _: 'chatAdminRights' } },
  'bots.setBotInfo': { langCode: '', name: 'Bot', about: 'Answers', description: 'Ask it' },
  'bots.setBotMenuButton': {
    userId: { _: 'inputUserEmpty' },
    button: { _: 'botMenuButton', text: 'Open', url: 'https://example.com' },
  },
  'messages.sendScheduledMessages': ITS_SCHEDULED,
  'messages.setBotCallbackAnswer': {
    queryId: '1',
    message: 'Done',
    url: 'https://example.com',
    cacheTime: 0,
  },
};

/** Params that are kept as they come: they have bounds of their own. */
const KEPT_WHOLE = new Set(['upload.saveFilePart bytes', 'upload.saveBigFilePart bytes']);

interface Asked {
  path: string;
  bytes: number;
  account: SandboxAccount;
  params: Record<string, unknown>;
  /** Whether it was carried out, so that the account is not as it was. */
  isDone: boolean;
}

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

async function exampleOf(account: SandboxAccount, name: string): Promise<Record<string, unknown>> {
  const { examples } = await sandbox.order(account, 'getExamples', { methods: [name] });
  const params = examples[name] ?? WITHOUT_EXAMPLE[name];
  if (!params) throw new Error(`${name} has no example: say in WITHOUT_EXAMPLE what it is asked.`);
  return params;
}

/** The members of a method's params that can grow, for an account of its own; each is asked of one that nothing was done to. */
async function* largeParams(name: string): AsyncGenerator<Asked> {
  const method = findMethod(name);
  if (method === null) throw new Error(`${name} is no method`);
  const anew = async () => {
    await sandbox.redis.flushall();
    const account = await sandbox.anAccount();
    const large = largeParamsOf(method.entry, await exampleOf(account, name));
    return { account, large: new Map([...large].map((one) => [one.path, one])) };
  };
  let { account, large } = await anew();
  for (const path of [...large.keys()]) {
    for (const bytes of SIZES) {
      const params = large.get(path)?.make(bytes);
      if (params === undefined) continue;
      const asked: Asked = { path, bytes, account, params, isDone: false };
      yield asked;
      if (asked.isDone) ({ account, large } = await anew());
    }
  }
}

it('bounds each param of each method that can grow', { timeout: 600_000 }, async () => {
  const found: string[] = [];
  for (const name of sandbox.driver.methods.keys()) {
    for await (const asked of largeParams(name)) {
      const { reply, refusal, kept } = await measureKept(sandbox, asked.account, name, asked.params);
      asked.isDone = refusal === null;
      if (KEPT_WHOLE.has(`${name} ${asked.path}`)) continue;
      if (kept > KEPT_MAX || reply > REPLY_MAX)
        found.push(`${name} ${asked.path} of ${asked.bytes} bytes: keeps ${kept}, answers ${reply}`);
    }
  }
  expect(found).toEqual([]);
});
