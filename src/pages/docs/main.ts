import { BASE } from '../shared/base.ts';
import { byId, el } from '../shared/dom.ts';
import { hashText } from '../shared/hash-text.ts';
import { installSkipLink } from '../shared/skip-link.ts';
import { installTheme } from '../shared/theme.ts';
import { Connection } from './connection.ts';
import { showConnection } from './connection-form.ts';
import { operationView } from './operation-view.ts';
import { Reference } from './reference.ts';
import { Sidebar } from './sidebar.ts';
import { groupView, startView } from './start-view.ts';
import { TryIt } from './try-it.ts';

const main = byId('main');

async function start(): Promise<void> {
  installTheme();
  installSkipLink();
  const response = await fetch(`${BASE}/openapi.json`);
  if (!response.ok) throw new Error(`openapi.json: ${response.status} ${response.statusText}`);
  const reference = new Reference(await response.json());
  const connection = new Connection(BASE);
  const sidebar = new Sidebar(reference);
  let tried: TryIt | null = null;
  connection.onChange(() => tried?.fill());

  function show(isFirst: boolean): void {
    const id = hashText();
    const operation = reference.find(id);
    tried?.close();
    tried = operation === undefined ? null : new TryIt(connection, reference, operation);
    const group = id.startsWith('group/') ? id.slice('group/'.length) : '';
    const view =
      operation !== undefined && tried !== null
        ? operationView(reference, operation, tried.node)
        : (groupView(reference, group) ?? startView(reference));
    main.replaceChildren(view);
    document.title = `${operation?.title ?? (group || 'Start')} · Switchboard API`;
    sidebar.mark(id, operation?.group ?? group);
    sidebar.open(false);
    if (isFirst) return;
    scrollTo({ top: 0, behavior: 'instant' });
    main.querySelector('h1')?.focus({ preventScroll: true });
  }

  addEventListener('hashchange', () => show(false));
  byId('menu').addEventListener('click', () => {
    const isOpen = !document.body.classList.contains('menu-open');
    sidebar.open(isOpen);
    if (isOpen) byId('search').focus();
  });
  byId('shade').addEventListener('click', () => sidebar.open(false));
  show(true);
  showConnection(connection);
}

start().catch((error: Error) => {
  main.replaceChildren(el('h1', {}, 'The description could not be read'), el('p', {}, error.message));
});
