import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { readAccountState } from '../../model/updates/account-state.ts';

/** The current state of the account's updates. */
export const getState = defineMethod('updates.getState', async (_params, call) => readAccountState(call));

export const example: Example<'updates.getState'> = () => ({});

export const difference = 'Counts unread messages in the 1,000 latest conversations.';
