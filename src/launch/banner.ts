import type { WorkerCounts } from './processes/process-counts.ts';
import type { Demo } from './seed-demo.ts';

interface Facts {
  /** The address to call, such as `http://127.0.0.1:3000`. */
  origin: string;
  /** The file of the root key, relative to the folder in which Switchboard was started. */
  rootKeyFile: string;
  redis: string;
  apis: number;
  workers: WorkerCounts;
  demo: Demo | null;
}

/** What `npm start` prints once everything runs: the addresses, and commands to copy. */
export function formatBanner({ origin, rootKeyFile, redis, apis, workers, demo }: Facts): string {
  const { min, max } = workers;
  const key = `-H "Authorization: Bearer $(cat ${quote(rootKeyFile)})"`;
  const parts = [
    [
      `Switchboard runs at ${origin}`,
      `  docs       ${origin}/docs`,
      `  console    ${origin}/console`,
      `  root key   ${rootKeyFile}`,
      `  redis      ${redis}`,
      ...(apis > 1 ? [`  api        ${apis} processes`] : []),
      `  workers    ${min}${max > min ? `, up to ${max} as the load asks for` : ''}`,
    ],
    ...commands(origin, key, demo).map(([title, command]) => [title, `  ${command}`]),
    ['Ctrl-C stops it; its data stay.'],
  ];
  return `\n${parts.map((lines) => lines.join('\n')).join('\n\n')}\n\n`;
}

function commands(origin: string, key: string, demo: Demo | null): [string, string][] {
  const list: [string, string] = ['List the organizations:', `curl -sS ${key} ${origin}/v1/organizations`];
  if (!demo) return [list];
  const { workspaceId, accounts } = demo;
  const stream: [string, string] = [
    'Follow what happens, from the beginning:',
    `curl -sSN ${key} "${origin}/v1/workspaces/${workspaceId}/updates?offset=-1&live=sse"`,
  ];
  const [sender, recipient] = accounts;
  if (!sender || !recipient) return [stream, list];
  const body = {
    params: {
      peer: { _: 'inputPeerUser', userId: recipient.userId, accessHash: '0' },
      message: 'Hello from Switchboard',
    },
  };
  const path = `workspaces/${workspaceId}/messenger-accounts/${sender.id}/call/messages.sendMessage`;
  const call = `curl -sS ${key} -H "Content-Type: application/json" ${origin}/${path} -d '${JSON.stringify(body)}'`;
  return [['Send a message from one account to another:', call], stream, list];
}

/** Quotes a text for a shell. */
function quote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
