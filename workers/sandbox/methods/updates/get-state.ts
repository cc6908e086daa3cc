import { defineMethod } from '../../../driver.ts';
import { readAccountState } from '../../model/updates/account-state.ts';

/** Where the account's updates are now. */
export const getState = defineMethod('updates.getState', async (_params, call) => readAccountState(call));
