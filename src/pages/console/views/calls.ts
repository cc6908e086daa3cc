import type { CallRecord } from '../../../client/records.ts';
import { breakable, IN_NAME } from '../../shared/breakable.ts';
import { type Child, el } from '../../shared/dom.ts';
import { type Api, withQuery } from '../api.ts';
import { count, duration } from '../format.ts';
import { confirm, showRecord } from '../parts/dialog.ts';
import { Fields } from '../parts/fields.ts';
import { List } from '../parts/list.ts';
import { action, badge, idText, stacked, timeText } from '../parts/marks.ts';
import { attempt, notify } from '../parts/notice.ts';
import type { Column } from '../parts/table.ts';
import { isReplayable, replayAll, replayOne, replaySome } from '../replay.ts';
import type { Context, View } from '../view.ts';

const UNSUCCESSFUL = { failed: 'Failed: dead letters', expired: 'Expired', canceled: 'Canceled' };
const ANY = {
  '': 'Any',
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Succeeded',
  ...UNSUCCESSFUL,
};

const FAILURES = {
  title: 'Failures',
  lead: 'Async calls that ended without a result, the last first. A call that someone waited for is not kept: its caller got the problem, and can repeat it with its Idempotency-Key.',
  statuses: UNSUCCESSFUL,
  sort: '-finishedAt',
  empty: 'No such calls have failed.',
};
const CALLS = {
  title: 'Async calls',
  lead: 'Calls that are recorded and run later, the newest first, for as long as they are kept. Those that failed are the dead letters.',
  statuses: ANY,
  sort: '-createdAt',
  empty: 'No such calls.',
};

/** Calls that ended without a result, to inspect and to replay. */
export function failures(context: Context): View {
  return callsView(context, FAILURES);
}

/** All async calls. */
export function calls(context: Context): View {
  const backlog = el('p', {});
  const close = context.live.watch(() => {
    const { backlog: due, oldestMs } = context.live.report.asyncCalls;
    backlog.textContent = `${count(due)} calls are due, the oldest for ${duration(oldestMs)}.`;
  });
  const view = callsView(context, CALLS, backlog);
  return {
    ...view,
    close: () => {
      close();
      view.close();
    },
  };
}

function callsView(
  { api, recordId }: Context,
  what: typeof FAILURES | typeof CALLS,
  backlog: Child = null,
): View {
  const filters = new Fields(
    what.title,
    [
      { name: 'workspaceId', label: 'Workspace', placeholder: 'any, or ws_…' },
      { name: 'method', label: 'Method', placeholder: 'any' },
      { name: 'status', label: 'Status', values: what.statuses },
    ],
    { workspaceId: recordId, status: Object.keys(what.statuses)[0] ?? '' },
    () => list.restart(),
  );
  const chosenButton = el('button', { type: 'button', class: 'send', disabled: true }, 'Replay chosen');
  const allButton = el('button', { type: 'button' }, 'Replay all of a workspace');
  let chosen: CallRecord[] = [];
  const list = new List<CallRecord>(api, {
    label: what.title,
    path: () => withQuery('/v1/calls', { sort: what.sort, ...filters.values }),
    columns: columnsOf(api, () => void list.refresh()),
    empty: what.empty,
    onChoice(calls) {
      chosen = calls.filter(isReplayable);
      chosenButton.disabled = chosen.length === 0;
      chosenButton.textContent = chosen.length === 0 ? 'Replay chosen' : `Replay ${chosen.length} chosen`;
    },
  });
  chosenButton.addEventListener('click', () => {
    confirm(`Replay ${chosen.length} calls?`, REPLAY_EXPLANATION, 'Replay', async (progress) => {
      notify(await replaySome(api, chosen, progress));
      list.restart();
    });
  });
  allButton.addEventListener('click', () => {
    const { workspaceId = '', status = '' } = filters.values;
    if (workspaceId === '' || !(status in UNSUCCESSFUL)) {
      notify('Type the id of a workspace, and choose failed, expired or canceled calls first.', true);
      return;
    }
    const title = `Replay all ${status} calls of ${workspaceId}?`;
    confirm(title, REPLAY_EXPLANATION, 'Replay', async (progress) => {
      notify(await replayAll(api, workspaceId, status, progress));
      list.restart();
    });
  });
  const node = el(
    'div',
    {},
    el('h1', { tabindex: '-1' }, what.title),
    el('p', { class: 'lead' }, what.lead),
    backlog,
    el('div', { class: 'toolbar' }, filters.node, el('p', { class: 'buttons' }, chosenButton, allButton)),
    list.node,
  );
  return { node, close: () => list.stop(), refresh: () => void list.refresh() };
}

const REPLAY_EXPLANATION =
  'Each is made once more, as a new async call with the recorded params. A messenger that the first one reached after all recognizes it. What was replayed before is left as it is.';

function columnsOf(api: Api, onDone: () => void): Column<CallRecord>[] {
  return [
    {
      name: 'Call',
      cell: ({ id, method }) =>
        stacked(el('strong', { class: 'name' }, ...breakable(method, IN_NAME)), idText(id)),
    },
    { name: 'Workspace', cell: ({ workspaceId }) => idText(workspaceId, `#workspaces/${workspaceId}`) },
    { name: 'Status', cell: ({ status }) => badge(status) },
    { name: 'Problem', cell: problemText },
    { name: 'Attempts', isNumber: true, cell: ({ attempts }) => String(attempts) },
    { name: 'Made', cell: ({ createdAt }) => timeText(createdAt) },
    { name: 'Ended', cell: ({ finishedAt }) => timeText(finishedAt) },
    { name: '', cell: (call) => el('div', { class: 'actions' }, ...actionsOf(api, call, onDone)) },
  ];
}

function problemText({ error }: CallRecord): Child {
  return error === null ? '–' : stacked(el('code', {}, error.code), error.detail ?? error.title);
}

function actionsOf(api: Api, call: CallRecord, onDone: () => void): Child[] {
  const done = async (text: Promise<string>) => {
    await attempt(() => text);
    onDone();
  };
  const { id, status } = call;
  return [
    isReplayable(call)
      ? action('Replay', id, () => {
          confirm(`Replay ${call.method}?`, REPLAY_EXPLANATION, 'Replay', () => done(replayOne(api, call)));
        })
      : null,
    status === 'queued' || status === 'running'
      ? action('Cancel', id, () => {
          const cancel = () => api.send('DELETE', `/v1/calls/${id}`).then(() => `Canceled ${id}.`);
          confirm(
            `Cancel ${call.method}?`,
            'A canceled call has not taken effect and never will.',
            'Cancel it',
            () => done(cancel()),
          );
        })
      : null,
    action('Show', id, () => showRecord(call.method, call)),
  ];
}
