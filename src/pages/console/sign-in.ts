import { BASE } from '../shared/base.ts';
import { byId } from '../shared/dom.ts';
import { tabStorage } from '../shared/storage.ts';
import { Api, ApiError } from './api.ts';
import type { ScalingReport } from './types.ts';

const STORED_AS = 'switchboard.console';
// A header takes no other characters: the browser would not send it.
const KEY = /^[!-~]+$/;

/** An API with an operator's key, and its first scaling report. */
export interface Session {
  api: Api;
  report: ScalingReport;
}

/** Asks for a key until one has the scope `operate`. The key is kept for this tab only. */
export function signIn(): Promise<Session> {
  const form = byId<HTMLFormElement>('sign-in');
  const input = byId<HTMLInputElement>('key');
  const state = byId('sign-in-state');
  const open = async (key: string): Promise<Session> => {
    if (!KEY.test(key)) throw new ApiError(401, 'unauthorized', 'No key has such characters.');
    const api = new Api(BASE, key);
    const report = await api.get<ScalingReport>('/v1/scaling');
    tabStorage.setItem(STORED_AS, key);
    form.hidden = true;
    input.value = '';
    return { api, report };
  };
  return new Promise((resolve) => {
    const attempt = (key: string) =>
      open(key).then(resolve, (error: Error) => {
        form.hidden = false;
        state.textContent = whatToDo(error);
        input.focus();
      });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      state.textContent = 'Asking the API…';
      void attempt(input.value.trim());
    });
    const known = tabStorage.getItem(STORED_AS);
    if (known !== null) return void attempt(known);
    form.hidden = false;
    input.focus();
  });
}

/** Forgets the key and shows the sign-in form again. */
export function signOut(): void {
  tabStorage.removeItem(STORED_AS);
  location.reload();
}

function whatToDo(error: Error): string {
  const { status } = error as ApiError;
  if (status === 401) return 'This is no valid key. npm start shows the file of the root key.';
  if (status === 403)
    return 'This key lacks the scope operate, which only the root key gives: use that, or a key made with it.';
  return error.message;
}
