import { byId, el } from '../shared/dom.ts';
import { hashText } from '../shared/hash-text.ts';
import { installSkipLink } from '../shared/skip-link.ts';
import { installTheme } from '../shared/theme.ts';
import type { ApiError } from './api.ts';
import { onShortcut, showKeys } from './keys.ts';
import { Live } from './live.ts';
import { closeDialog } from './parts/dialog.ts';
import { notify } from './parts/notice.ts';
import { type Session, signIn, signOut } from './sign-in.ts';
import type { Context, View } from './view.ts';
import { audit } from './views/audit.ts';
import { calls, failures } from './views/calls.ts';
import { overview } from './views/overview.ts';
import { pauses } from './views/pauses.ts';
import { settings } from './views/settings.ts';
import { updates } from './views/updates.ts';
import { webhooks } from './views/webhooks.ts';
import { workers } from './views/workers.ts';
import { workspaces } from './views/workspaces.ts';

const VIEWS: Record<string, { title: string; make: (context: Context) => View }> = {
  overview: { title: 'Overview', make: overview },
  workers: { title: 'Workers', make: workers },
  failures: { title: 'Failures', make: failures },
  calls: { title: 'Async calls', make: calls },
  webhooks: { title: 'Webhooks', make: webhooks },
  updates: { title: 'Updates', make: updates },
  workspaces: { title: 'Workspaces', make: workspaces },
  pauses: { title: 'Pauses', make: pauses },
  settings: { title: 'Settings', make: settings },
  audit: { title: 'Audit', make: audit },
};

function showConsole({ api, report }: Session): void {
  const live = new Live(api, report);
  const main = byId('main');
  const links = Object.entries(VIEWS).map(([name, { title }], i) =>
    el('a', { href: `#${name}`, 'aria-keyshortcuts': String((i + 1) % 10) }, title),
  );
  byId('views').replaceChildren(...links);
  byId('views').hidden = false;
  let view: View | null = null;

  function show(isFirst: boolean): void {
    const [wanted = '', id = ''] = hashText().split('/');
    // Anyone may write a link to this page. A text that is not an id, such as `\..\..`, could lead requests to another path.
    const recordId = /^\w*$/.test(id) ? id : '';
    const name = Object.hasOwn(VIEWS, wanted) ? wanted : 'overview';
    const { title, make } = VIEWS[name] as (typeof VIEWS)[string];
    view?.close();
    closeDialog();
    view = make({ api, live, recordId });
    main.replaceChildren(view.node);
    notify('');
    document.title = `${title} · Switchboard console`;
    for (const link of links) {
      if (link.hash === `#${name}`) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    byId('views').querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    if (isFirst) return;
    scrollTo({ top: 0, behavior: 'instant' });
    main.querySelector('h1')?.focus({ preventScroll: true });
  }

  addEventListener('hashchange', () => show(false));
  live.watch(() => showHealth(live));
  const keys: Record<string, () => void> = {
    '?': showKeys,
    '/': () => main.querySelector<HTMLElement>('.filters input, .filters select')?.focus(),
    r: () => view?.refresh(),
  };
  onShortcut((key) => {
    // The key 0 stands for the tenth link.
    const link = /^[0-9]$/.test(key) ? links[(Number(key) + 9) % 10] : undefined;
    if (link !== undefined) location.hash = link.hash;
    else if (Object.hasOwn(keys, key)) keys[key]?.();
    else view?.onKey?.(key);
  });
  for (const [id, act] of [
    ['sign-out', signOut],
    ['show-keys', showKeys],
  ] as const) {
    byId(id).hidden = false;
    byId(id).addEventListener('click', act);
  }
  show(true);
}

// Changes the page only if something has changed: a screen reader reads out what changes.
function showHealth(live: Live): void {
  const { health, error, report } = live;
  const node = byId('health');
  const level =
    error !== null ? 'bad' : health === null ? 'quiet' : health.status === 'ready' ? 'good' : 'bad';
  const text = healthText(live);
  const title = error?.message ?? '';
  if (node.textContent === text && node.className === `health ${level}` && node.title === title) return;
  node.className = `health ${level}`;
  node.textContent = text;
  node.title = title;
  byId('offline').hidden = error === null;
  byId('offline').textContent =
    error === null
      ? ''
      : `${whatToDo(error)} This page tries again. What you see is of ${new Date(report.at).toLocaleTimeString('en-GB')}.`;
}

function healthText({ health, error, report }: Live): string {
  if (error !== null && isAboutKey(error)) return 'Key refused';
  if (error !== null && health === null) return 'No answer';
  const word = health?.status === 'ready' ? 'Ready' : (health?.status ?? 'Looking');
  if (error !== null) return `${word}, no figures`;
  const { running } = report.workers;
  return `${word}, ${running} ${running === 1 ? 'worker' : 'workers'}`;
}

function whatToDo(error: ApiError): string {
  return isAboutKey(error) ? `${error.message} Sign out to use another key.` : error.message;
}

function isAboutKey({ status }: ApiError): boolean {
  return status === 401 || status === 403;
}

installTheme();
installSkipLink();
void signIn().then(showConsole);
