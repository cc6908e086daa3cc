import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import * as mtcute from '@mtcute/core/methods.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NotExecuted } from '../support/clients/http-client.ts';
import { World } from '../support/clients/world.ts';
import { METHODS_DOC } from '../support/sandbox/methods-doc.ts';
import { bots } from './functions/bots.ts';
import { chats } from './functions/chats.ts';
import { DIFFERENT, LOCAL } from './functions/expected.ts';
import { messages } from './functions/messages.ts';
import { people } from './functions/people.ts';
import { things } from './functions/things.ts';

/** Raise it with what is executed. */
const WORKING_MIN = 172;

const USES = { ...bots, ...chats, ...messages, ...people, ...things };

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

it('names every function of mtcute', () => {
  const functions = Object.keys(mtcute).filter((name) => !name.startsWith('_'));
  expect([...Object.keys(USES), ...Object.keys(LOCAL)].sort()).toEqual(functions.sort());
});

it('where it works otherwise, docs/methods.md says why', () => {
  const doc = readFileSync(METHODS_DOC, 'utf8');
  for (const reason of Object.values(DIFFERENT)) expect(doc).toContain(reason);
});

it('works, or says by name which method is not executed', async () => {
  const notExecuted: Record<string, string> = {};
  const wrong: Record<string, string> = {};
  for (const [name, use] of Object.entries(USES)) {
    const end = setTimeout(20_000).then(() => Promise.reject(new Error('it does not end')));
    end.catch(() => undefined);
    await Promise.race([use(world), end]).catch((error) => {
      if (error instanceof NotExecuted) notExecuted[name] = error.method;
      else wrong[name] = String(error);
    });
  }
  expect
    .soft(Object.keys(wrong).sort(), JSON.stringify(wrong, null, 1))
    .toEqual(Object.keys(DIFFERENT).sort());
  // After a change of methods: npm test -- clients/functions -u
  await expect(`${JSON.stringify(notExecuted, Object.keys(notExecuted).sort(), 2)}\n`).toMatchFileSnapshot(
    'functions/not-executed.json',
  );
  const working = Object.keys(USES).length - Object.keys(notExecuted).length - Object.keys(wrong).length;
  expect(working).toBeGreaterThanOrEqual(WORKING_MIN);
});
