import { byId, el } from '../shared/dom.ts';
import { type Connection, KeyRefused } from './connection.ts';

const OTHER = 'other';

/** The form for the key and the account, at the top of the page. */
export function showConnection(connection: Connection): void {
  const form = byId('connection');
  const key = byId<HTMLInputElement>('key');
  const keep = byId<HTMLInputElement>('keep');
  const account = byId<HTMLSelectElement>('account');
  const other = byId<HTMLInputElement>('other-account');
  const workspace = byId<HTMLInputElement>('other-workspace');
  const state = byId('connection-state');
  // Ids are of use with a key that is known. Until another one is, the fields for them stay as they are: one that came or went would move
  // what is being clicked.
  let takesIds = false;
  key.value = connection.key;
  keep.checked = connection.isKept;

  function showAccounts(): void {
    const { accounts, accountId } = connection;
    const isListed = accounts.some(({ id }) => id === accountId);
    account.replaceChildren(
      ...accounts.map(({ id, name }) => el('option', { value: id }, `${name} · ${id}`)),
      el('option', { value: OTHER }, accounts.length === 0 ? 'Type the ids' : 'Another one'),
    );
    account.value = isListed ? accountId : OTHER;
    showOther();
  }
  function showOther(): void {
    byId('other').hidden = account.value !== OTHER || !takesIds;
    other.value = connection.accountId;
    workspace.value = connection.workspaceId;
  }
  function say(what: 'none' | 'busy' | 'ready' | 'failed' | 'refused', text: string): void {
    form.dataset.state = what;
    form.classList.remove('open');
    state.textContent = text;
  }
  const ready = () => `Ready: ${nameOf(connection)}`;
  async function connect(): Promise<void> {
    const typed = connection.key;
    connection.accounts = [];
    if (typed === '') {
      takesIds = false;
      say('none', 'Type a key to send requests');
    } else {
      say('busy', 'Looking for accounts…');
      const failure = await connection.findAccounts().catch((error: Error) => error);
      // Another key was typed meanwhile, and its answer is shown.
      if (typed !== connection.key) return;
      takesIds = !(failure instanceof KeyRefused);
      if (failure) say(takesIds ? 'failed' : 'refused', failure.message);
      else say('ready', connection.accounts.length === 0 ? 'Ready: the key has no accounts yet' : ready());
    }
    showAccounts();
  }

  const takeKey = () => connection.setKey(key.value.trim(), keep.checked);
  key.addEventListener('change', () => {
    takeKey();
    void connect();
  });
  keep.addEventListener('change', takeKey);
  // Another tab has kept a key, or has forgotten it.
  addEventListener('storage', () => {
    keep.checked = connection.isKept;
  });
  account.addEventListener('change', () => {
    if (account.value !== OTHER) {
      connection.setId('messenger-accounts', account.value);
      say('ready', ready());
    }
    showOther();
  });
  other.addEventListener('change', () => connection.setId('messenger-accounts', other.value.trim()));
  workspace.addEventListener('change', () => connection.setId('workspaces', workspace.value.trim()));
  byId('change').addEventListener('click', () => form.classList.toggle('open'));
  form.addEventListener('submit', (event) => event.preventDefault());
  connection.onChange(showAccounts);
  showAccounts();
  void connect();
}

function nameOf({ accounts, accountId }: Connection): string {
  return accounts.find(({ id }) => id === accountId)?.name ?? accountId;
}
