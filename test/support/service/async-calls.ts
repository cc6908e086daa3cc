import type { Account, Answer, Service } from './service.ts';

/** Makes an async call and gives the answer. */
export function callAsync(
  service: Service,
  account: Account,
  method: string,
  params: object,
  {
    headers = {},
    more = {},
    url = service.url,
  }: { headers?: Record<string, string>; more?: object; url?: string } = {},
): Promise<Answer> {
  const path = `/workspaces/${account.workspaceId}/messenger-accounts/${account.id}/call/${method}`;
  const prefer = { prefer: 'respond-async', ...headers };
  return service.request('POST', path, { params, ...more }, { headers: prefer, url });
}

/** Params of a message from one account of the sandbox to another. */
export function messageTo(to: Account, message: string) {
  return { peer: { _: 'inputPeerUser', userId: to.userId, accessHash: '0' }, message };
}

/** The call once it has ended, or as it is after half a minute. */
export async function endOf(service: Service, id: string): Promise<Answer['body']> {
  return service.ok('GET', `/v1/calls/${id}?wait=30`);
}

/** What the stream says of the end of a call. */
export async function endEvents(
  service: Service,
  workspaceId: string,
  id: string,
): Promise<Answer['body'][]> {
  const events = await service.updates(workspaceId, '-1', 'kind=call.succeeded,call.failed');
  return events.filter(({ update }) => update.callId === id);
}
